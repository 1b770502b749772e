"""Bars that show how far long work is, in notebooks and in terminals."""

from __future__ import annotations

import sys
import time
from typing import Any, Callable, Optional, Protocol, Union

Progress = Union[bool, None, Callable[[int, int], object]]
"""The keyword argument ``progress``: True, False, None (a bar where somebody looks at it), or a function that is told how
much is done of how much, or of a search how many nodes, of 0."""

PATIENCE = 0.5
"""Work that takes no longer than this many seconds gets no bar."""


class Bar(Protocol):
    def __call__(self, done: int, total: int) -> object: ...
    def close(self) -> None: ...


def bar(progress: Progress, title: str) -> Optional[Bar]:
    """The bar that ``progress`` asks for, if any."""
    if callable(progress):
        return _Told(progress)
    notebook = _in_notebook()
    if progress is False or progress is None and not (notebook or sys.stderr.isatty()):
        return None
    return _NotebookBar(title) if notebook else _TerminalBar(title)


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    return getattr(shell, "kernel", None) is not None


def _seconds(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


class _Told:
    def __init__(self, function: Callable[[int, int], object]):
        self.function = function

    def __call__(self, done: int, total: int) -> None:
        self.function(done, total)

    def close(self) -> None:
        pass


class _Timed:
    """What both bars have in common: when to draw, and what to say."""

    pause = 0.1

    def __init__(self, title: str):
        self.title = title
        self.start = self.last = time.monotonic()
        self.first: Optional[int] = None
        self.drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if self.first is None:
            # What an earlier run has done says nothing about the speed of this one.
            self.first = done
        if now - self.start > PATIENCE and now - self.last > self.pause:
            self.last, self.drawn = now, True
            self.draw(done, total, self.text(done, total, now - self.start))

    def text(self, done: int, total: int, spent: float) -> str:
        if total == 0:
            # Nobody knows how many nodes a search takes, so nothing is said of the time that is left.
            return f"{self.title}: {done:,} nodes, {_seconds(spent)}"
        text = f"{self.title}: {done:,} of {total:,}, {_seconds(spent)}"
        new = done - (self.first or 0)
        return f"{text}, {_seconds(spent * (total - done) / new)} left" if new else text

    def draw(self, done: int, total: int, text: str) -> None:
        raise NotImplementedError


class _TerminalBar(_Timed):
    cells = 30

    def draw(self, done: int, total: int, text: str) -> None:
        full = self.cells * done // max(total, 1)
        bar = f"[{'#' * full}{'.' * (self.cells - full)}] " if total else ""
        sys.stderr.write(f"\r{bar}{text}\033[K")
        sys.stderr.flush()

    def close(self) -> None:
        if self.drawn:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()


def _display() -> tuple[Any, Any]:
    """What IPython shows pages with, which has types in some versions only."""
    from IPython import display

    return display.HTML, display.display


class _NotebookBar(_Timed):
    pause = 0.5

    def __init__(self, title: str):
        super().__init__(title)
        self.handle: Any = None

    def draw(self, done: int, total: int, text: str) -> None:
        from html import escape

        HTML, display = _display()
        far = f' value="{done}" max="{total}"' if total else ""
        page = HTML(f"<progress{far}></progress> {escape(text)}")
        if self.handle is None:
            self.handle = display(page, display_id=True)
        else:
            self.handle.update(page)

    def close(self) -> None:
        if self.handle is not None:
            from html import escape

            HTML, _ = _display()
            spent = _seconds(time.monotonic() - self.start)
            self.handle.update(HTML(f"{escape(self.title)}: {spent}"))
