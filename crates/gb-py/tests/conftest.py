"""Ctrl-C is heard in these tests also where they run in the background of a shell, which starts programs that ignore it."""

import signal

signal.signal(signal.SIGINT, signal.default_int_handler)
