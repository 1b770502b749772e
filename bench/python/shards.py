"""How fast tables are built by one process, and by workers of Dask: the rates that docs/scale.md reckons with.

    pip install './crates/gb-py[dask]' && python bench/python/shards.py [SIZE | CELLS | within-SIZE ...]

Seconds are by the clock and, in brackets, of the processor, all processes together.
"""

from __future__ import annotations

import pathlib
import resource
import sys
import tempfile
import time

import dask
from distributed import Client, LocalCluster

import gamebench.dask
from gamebench import Databases


def processor() -> float:
    """Seconds of the processor of this process and of those that have ended."""
    kinds = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(sum(resource.getrusage(kind)[:2]) for kind in kinds)


def memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def alone(what: dict[str, object]) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        clock, spent = time.monotonic(), processor()
        (table,) = Databases(folder).build(**what, progress=False)
        clock, spent = time.monotonic() - clock, processor() - spent
        rate = table["boards"] / spent
        print(f"{table['game']} {table['scope']}: {table['boards']:,} boards, {table['facts']:,} facts, {table['bytes']:,} bytes")
        print(f"  one process   {clock:7.1f} s ({spent:.1f} s), {rate:,.0f} boards a second, {memory() / 1e9:.2f} GB so far")
        return pathlib.Path(table["file"]).read_bytes()


def with_workers(what: dict[str, object], workers: int) -> bytes:
    spent = processor()
    with tempfile.TemporaryDirectory() as folder:
        journal, largest = pathlib.Path(folder), [0]

        def look(done: int, total: int) -> None:
            files = journal.glob(".*.journal")
            largest[0] = max([largest[0], *(file.stat().st_size for file in files)])

        with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
            with Client(cluster) as client:
                client.wait_for_workers(workers)
                start = processor(), time.monotonic()
                file = gamebench.dask.build(client, folder, **what, progress=look)
                here, clock = processor() - start[0], time.monotonic() - start[1]
        spent = processor() - spent
        print(f"  {workers} worker(s)   {clock:7.1f} s ({spent:.1f} s, of which {here:.1f} s in this process), journal {largest[0]:,} bytes")
        return pathlib.Path(file).read_bytes()


def idle(workers: int) -> None:
    """What a cluster costs that does nothing: starting processes, importing the package and Dask."""
    spent = processor()
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        with Client(cluster) as client:
            client.wait_for_workers(workers)
            client.submit(lambda: __import__("gamebench.dask").__name__).result()
    print(f"{workers} worker(s) that do nothing: {processor() - spent:.1f} s of the processor")


def main() -> None:
    dask.config.set(gamebench.dask.QUIET)
    for workers in (1, 2, 4):
        idle(workers)
    for text in sys.argv[1:] or ["3x4", "3x5"]:
        what: dict[str, object] = {"game": "clobber", "size": text}
        if text.isdigit():
            what = {"game": "domineering", "parts": int(text)}
        if text.startswith("within-"):
            what = {"game": "clobber", "within": text.removeprefix("within-")}
        file = alone(what)
        for workers in (1, 2, 4):
            assert with_workers(what, workers) == file, "the files differ"


if __name__ == "__main__":
    main()
