"""Databases and matches on many machines, spread by Dask (``pip install 'gamebench[dask]'``).

A table is built layer by layer: the facts about a layer follow from those about the layers before it. The process that calls
:func:`build` keeps the journal of the build in a folder that all machines see. Each task is one shard of the current layer;
workers read what they have not read yet of the journal, find the facts about their shard and send them back.

With ``within`` or ``parts`` shards are files: a worker reads those of earlier layers, and writes its own; the calling process ends each layer, or, where
its memory does not suffice for that, workers do that as well. Nobody reads all of the table.

A worker may die at any moment: Dask gives its shards to another one. If the scheduler disappears, or the calling process is
killed, what was finished is in the journal, and the next call goes on from there. However it was built, the file is byte
for byte the one that a single process makes.
"""

from __future__ import annotations

import os
import queue
import threading
import time
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Iterable, Iterator, Optional, Union

from distributed import Client, Future, KilledWorker

from . import GameError, __version__, _gamebench
from . import game as open_game
from ._match import Match
from .progress import Progress, bar

__all__ = ["QUIET", "SchedulerLost", "build", "map_positions", "match"]

QUIET: dict[str, Any] = {
    "distributed.admin.tick.interval": "1s",
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.target": False,
    "distributed.worker.memory.spill": False,
    "distributed.worker.memory.pause": False,
    "distributed.worker.memory.terminate": False,
}
"""Settings for ``dask.config.set``, before a cluster is started. By default each of Dask's processes looks at itself fifty times a second and more, which took a
worker and its caller 7 % of a core here, whatever they did. Memory is bounded by ``memory``, and not by Dask."""

SHARDS_A_THREAD = 4
"""A layer is cut into so many shards for every thread of the cluster, so that nobody waits long for the last one."""

SHARDS_A_TASK = 16
"""So many shards of values are a task at most, where there are many."""

OUTCOME_SHARDS = 64
"""So many shards of outcomes, of a megabyte each, are a task at most."""

SMALL = 2_000
"""Boards that are too few for a shard of their own."""

ATTEMPTS = 5
"""How often a task is given out again after the workers that had it died. (Dask itself tries a few times before that.)"""

STORAGE = 60.0
"""Seconds until shared storage must show what another machine has written."""


class SchedulerLost(ConnectionError):
    """The scheduler has disappeared. What was finished is kept."""


@dataclass(frozen=True)
class _ShardJob:
    """What a worker has to know about a build in shards on disk."""

    run: str
    folder: str
    game: str
    within: Optional[str] = None
    parts: Optional[int] = None
    store: Optional[str] = None
    shard: Optional[int] = None
    memory: Optional[int] = None
    version: str = __version__

    def what(self) -> dict[str, Any]:
        return {"within": self.within, "parts": self.parts, "store": self.store}

    def begin(self, join: bool) -> Any:
        limits = {"shard": self.shard, "memory": self.memory}
        return _gamebench.ShardBuild(self.folder, self.game, join=join, **self.what(), **limits)

    def join(self) -> Any:
        return self.begin(True)


@dataclass(frozen=True)
class _OutcomeJob:
    """What a worker has to know about a build of outcomes."""

    run: str
    folder: str
    game: str
    size: str
    memory: Optional[int] = None
    version: str = __version__

    def begin(self, join: bool) -> Any:
        return _gamebench.OutcomeBuild(self.folder, self.game, self.size, join=join, memory=self.memory)

    def join(self) -> Any:
        return self.begin(True)


@dataclass(frozen=True)
class _Job:
    """What a worker has to know about a build."""

    run: str
    folder: str
    game: str
    size: Optional[str]
    max_values: Optional[int]
    version: str = __version__

    def call(self, method: Callable[..., Any]) -> Any:
        return method(self.folder, self.game, self.size, max_values=self.max_values)

    def join(self) -> Any:
        return self.call(_gamebench.Build.join)


# The build that this worker has joined: what it has read of the journal is kept from task to task. Another call of `build`
# is another run, and begins anew.
_joined: dict[str, Any] = {}
_joining = threading.Lock()


def _join(job: Union[_Job, _OutcomeJob, _ShardJob]) -> Any:
    if job.version != __version__:
        raise GameError(f"this worker has gamebench {__version__}, but the build was begun with {job.version}")
    if job.run in _joined:
        return _joined[job.run]
    _joined.clear()
    try:
        _joined[job.run] = job.join()
    except GameError as error:
        if not os.path.isdir(job.folder):
            where = f"{job.folder} is no folder on this worker: it has to be on storage that all machines share"
            raise GameError(where) from error
        raise
    return _joined[job.run]


def _find(job: _Job, layer: int, start: int, end: int) -> bytes:
    """The task of a worker: the facts about a range of a layer."""
    with _joining:
        joined = _join(job)
        deadline = time.monotonic() + STORAGE
        while joined.layer() != layer:
            joined.catch_up()
            if joined.layer() != layer and time.monotonic() > deadline:
                raise GameError(f"{job.folder}: layer {layer} was not found within {STORAGE:.0f} seconds")
            if joined.layer() != layer:
                time.sleep(0.1)
    return joined.find(start, end)


def _find_shards(job: _ShardJob, layer: int, shards: list[int]) -> None:
    """The task of a worker: some shards, each of which it leaves in a file."""
    with _joining:
        joined = _join(job)
    joined.find(layer, shards)


def _merge(job: _ShardJob, tasks: list[str]) -> None:
    """The task of a worker: some of what it takes to end a layer, left in files."""
    with _joining:
        joined = _join(job)
    joined.merge(tasks)


def _find_outcomes(job: _OutcomeJob, layer: int, shards: list[int]) -> list[bytes]:
    """The task of a worker: some shards of outcomes, which it writes into the file that all share."""
    with _joining:
        joined = _join(job)
    return [bytes(found) for found in joined.find(layer, shards)]


def _results(client: Client, tasks: Iterable[tuple[Any, ...]], kept: str) -> Iterator[tuple[int, Any]]:
    """The results of tasks (a function and its arguments) as they come, each with its index."""
    tasks, done, waiting = list(tasks), queue.SimpleQueue(), {}
    lost = SchedulerLost(f"the scheduler has disappeared. {kept}")

    def submit(index: int, attempt: int) -> None:
        function, *arguments = tasks[index]
        key = f"gamebench{function.__name__}-{uuid.uuid4().hex}"
        future = client.submit(function, *arguments, key=key, pure=False)
        waiting[key] = (future, index, attempt)
        future.add_done_callback(done.put)

    try:
        for index in range(len(tasks)):
            submit(index, 1)
        while waiting:
            try:
                future: Future = done.get(timeout=1.0)
            except queue.Empty:
                if client.status != "running":
                    raise lost
                continue
            _, index, attempt = waiting.pop(future.key)
            if future.cancelled():
                raise lost
            try:
                result = future.result()
            except KilledWorker:
                if attempt == ATTEMPTS:
                    raise
                submit(index, attempt + 1)
                continue
            except OSError as error:
                if future.status == "error":
                    # It was raised by the task itself.
                    raise
                # The client may not have noticed yet.
                raise lost from error
            yield index, result
    except Exception as error:
        # Whatever else goes wrong when the scheduler is away goes wrong because of that.
        if error is not lost and client.status != "running":
            raise lost from error
        raise
    finally:
        if waiting and client.status == "running":
            client.cancel([future for future, _, _ in waiting.values()])


def _threads(client: Client) -> int:
    """How many tasks the cluster does at a time. Nobody may be there yet."""
    try:
        return max(1, sum(client.nthreads().values()))
    except Exception:
        # If the scheduler is away, the next task says so.
        return 1


def _threads_of_one(client: Client) -> int:
    """How many tasks a worker does at a time, at most."""
    try:
        return max([1, *client.nthreads().values()])
    except Exception:
        return 1


def build(
    client: Client,
    folder: Union[str, "os.PathLike[str]"],
    game: str,
    size: Optional[str] = None,
    *,
    parts: Optional[int] = None,
    within: Optional[str] = None,
    max_values: Optional[int] = None,
    shards: Optional[int] = None,
    shard: Optional[int] = None,
    memory: Optional[int] = None,
    store: Optional[str] = None,
    progress: Progress = None,
) -> str:
    """Builds a table on a cluster, unless there is a sound one. Returns its file.

    The folder has to be on storage that this process and all workers share. ``size``, ``parts``, ``within`` and ``max_values`` are those of
    :meth:`gamebench.Databases.build`; ``shards`` is how many tasks a layer makes. With ``within`` or ``parts`` a task is so many boards (``shard``), and
    every process holds at most ``memory`` bytes of values; ``store`` is what is kept of them in the end. With a ``size`` and
    ``store="outcome"`` workers write who wins into one file that all share, and ``memory`` is what each may hold.
    """
    folder = os.path.abspath(folder)
    if within is not None or parts is not None:
        if not (size is None and max_values is None and shards is None) or (within is not None and parts is not None):
            raise GameError("within and parts go with shard, memory and store, and not with size, max_values, shards or each other")
        job = _ShardJob(uuid.uuid4().hex, folder, game, within, parts, store, shard, memory)
        return _build_in_shards(client, job, progress)
    if store == "outcome":
        if size is None or not (max_values is None and shards is None and shard is None):
            raise GameError('store="outcome" goes with a size and with memory, and with nothing else')
        return _build_outcomes(client, _OutcomeJob(uuid.uuid4().hex, folder, game, size, memory), progress)
    if not (shard is None and memory is None and store is None):
        raise GameError("shard, memory and store go with within or parts")
    job = _Job(uuid.uuid4().hex, folder, game, size, max_values)
    there = job.call(_gamebench.Build.there)
    if there is not None:
        return str(there)
    kept = f"The shards that were finished are kept in {folder}: call build again with another client to go on."
    shown = bar(progress, f"{game} {size}")
    work = job.call(_gamebench.Build.open)
    try:
        while (layer := work.layer()) is not None:
            # Now the workers can read all earlier layers.
            work.checkpoint()
            count = shards or max(1, min(SHARDS_A_THREAD * _threads(client), work.boards_of_layer() // SMALL))
            tasks = [(_find, job, layer, start, end) for start, end in work.shards(count)]
            for _, shard in _results(client, tasks, kept):
                work.add(shard)
                if shown:
                    shown(*work.progress())
        return str(work.finish())
    finally:
        # Also what came in since the last layer ended is written down.
        work.close()
        if shown:
            shown.close()


def _build_in_shards(client: Client, job: _ShardJob, progress: Progress) -> str:
    """Shards are files that workers write; this process only ends the layers."""
    there = _gamebench.ShardBuild.there(job.folder, job.game, **job.what())
    if there is not None:
        return str(there)
    kept = f"The shards that were finished are kept in {job.folder}: call build again with another client to go on."
    shown = bar(progress, f"{job.game} within {job.within}" if job.within else f"{job.game} parts of {job.parts} cells")
    work = job.begin(False)
    try:
        while (layer := work.layer()) is not None:
            missing = work.missing()
            end, total = work.progress()
            done = end - sum(boards for _, boards in missing)
            if 0 < end - done <= SMALL:
                # Found here before a worker has heard of it.
                work.find(layer, [number for number, _ in missing])
                done, missing = end, []
                if shown:
                    shown(done, total)
            step = max(1, min(SHARDS_A_TASK, len(missing) // (SHARDS_A_THREAD * _threads(client))))
            batches = [missing[at : at + step] for at in range(0, len(missing), step)]
            tasks = [(_find_shards, job, layer, [number for number, _ in batch]) for batch in batches]
            for index, _ in _results(client, tasks, kept):
                done += sum(boards for _, boards in batches[index])
                if shown:
                    shown(done, total)
            while steps := work.merge_tasks(_threads_of_one(client)):
                for _ in _results(client, [(_merge, job, [task]) for task in steps], kept):
                    pass
        return str(work.finish())
    finally:
        work.close()
        if shown:
            shown.close()


def _build_outcomes(client: Client, job: _OutcomeJob, progress: Progress) -> str:
    """Workers write blocks into one file; this process notes which, and ends the table."""
    there = _gamebench.OutcomeBuild.there(job.folder, job.game, job.size)
    if there is not None:
        return str(there)
    kept = f"The shards that were finished are kept in {job.folder}: call build again with another client to go on."
    shown = bar(progress, f"{job.game} {job.size}, outcomes")
    work = job.begin(False)
    try:
        while (layer := work.layer()) is not None:
            missing = work.missing()
            step = max(1, min(OUTCOME_SHARDS, len(missing) // (SHARDS_A_THREAD * _threads(client))))
            tasks = [(_find_outcomes, job, layer, missing[at : at + step]) for at in range(0, len(missing), step)]
            for _, found in _results(client, tasks, kept):
                work.add(found)
                if shown:
                    shown(*work.progress())
        return str(work.finish())
    finally:
        # Also what came in since the last layer ended is written down.
        work.close()
        if shown:
            shown.close()


def match(
    client: Client,
    a: str,
    b: str,
    game: Optional[str] = None,
    start: Union[str, list[str], None] = None,
    *,
    games: int = 20,
    games_a_task: int = 2,
    progress: Progress = None,
    **settings: Any,
) -> dict[str, Any]:
    """A match on a cluster: as :func:`gamebench.match`, with so many games a task."""
    whole = Match(a, b, game, start, **settings)
    kept = "No games of this match are kept."
    tasks = [(_play, whole, first, min(first + games_a_task, games)) for first in range(0, games, games_a_task)]
    shown = bar(progress, f"{a} against {b}")
    played: dict[int, list[tuple[str, Optional[str]]]] = {}
    try:
        for index, some in _results(client, tasks, kept):
            played[index] = some
            if shown:
                shown(sum(map(len, played.values())), games)
    finally:
        if shown:
            shown.close()
    return whole.sum_up([game for index in sorted(played) for game in played[index]])


def map_positions(
    client: Client,
    function: Callable[[Any], Any],
    game: str,
    positions: Iterable[str],
    *,
    positions_a_task: int = 20,
    done: Optional[dict[int, Any]] = None,
    progress: Progress = None,
) -> Iterator[tuple[int, str, Any]]:
    """Calls ``function`` with every position of a game, on a cluster, and gives the results as they come.

    Yields ``(index, text, result)`` for each of the texts ``positions``, in the order in which workers finish; a worker does so many positions a
    task. ``function`` gets a :class:`gamebench.Position`, and must give something that can be sent (numbers and texts, not values). An exception
    in it is raised here. Results are also put into ``done``, by index: whatever happens, what was finished is there, and a call with the same
    ``positions`` and ``done`` does only the rest (the finished ones are not yielded again). A task whose worker dies is done by another one.
    """
    texts, finished = list(positions), {} if done is None else done
    missing = [index for index in range(len(texts)) if index not in finished]
    step = max(1, positions_a_task)
    cut = [missing[first : first + step] for first in range(0, len(missing), step)]
    tasks = [(_call, function, game, [texts[index] for index in some]) for some in cut]
    kept = "What was finished is in `done`: call map_positions again with it to go on."
    shown = bar(progress, f"{game}, {len(texts)} positions")
    try:
        for task, results in _results(client, tasks, kept):
            for index, result in zip(cut[task], results):
                finished[index] = result
            if shown:
                shown(len(finished), len(texts))
            for index in cut[task]:
                yield index, texts[index], finished[index]
    finally:
        if shown:
            shown.close()


def _call(function: Callable[[Any], Any], game: str, positions: list[str]) -> list[Any]:
    """The task of a worker: some positions."""
    opened = open_game(game)
    return [function(opened(text)) for text in positions]


def _play(whole: Match, first: int, games: int) -> list[tuple[str, Optional[str]]]:
    """The task of a worker: some games of a match."""
    return whole.play(first, games, 1, False)
