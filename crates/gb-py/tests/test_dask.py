"""Databases and matches on a cluster of real processes, some of which are killed."""

from __future__ import annotations

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time
from typing import Iterator

import pytest

import gamebench
from gamebench import Databases

distributed = pytest.importorskip("distributed")
import gamebench.dask as cluster  # noqa: E402

SIZE = "3x4"


class Cluster:
    """A scheduler and workers, each started by the command that docs/python.md shows."""

    def __init__(self, folder: pathlib.Path):
        self.file = folder / "scheduler.json"
        self.processes: list[subprocess.Popen[bytes]] = []
        self.scheduler = self.start("scheduler", "--port", "0")
        deadline = time.monotonic() + 60
        while not self.file.exists() and time.monotonic() < deadline:
            time.sleep(0.05)

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        common = ["--host", "127.0.0.1", "--no-dashboard", "--scheduler-file", str(self.file)]
        command = [sys.executable, "-m", "dask", *arguments, *common]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        self.processes.append(process)
        return process

    def worker(self) -> subprocess.Popen[bytes]:
        return self.start("worker", "--nthreads", "1", "--no-nanny")

    def client(self) -> distributed.Client:
        return distributed.Client(scheduler_file=str(self.file))

    def stop(self) -> None:
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    started = Cluster(tmp_path_factory.mktemp("cluster"))
    started.worker(), started.worker()
    yield started
    started.stop()


@pytest.fixture(scope="module")
def expected(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file that one process builds."""
    (table,) = Databases(tmp_path_factory.mktemp("alone")).build("clobber", SIZE)
    return pathlib.Path(table["file"]).read_bytes()


def test_two_workers_build_the_same_file(started: Cluster, expected: bytes, tmp_path: pathlib.Path):
    with started.client() as client:
        client.wait_for_workers(2, timeout=60)
        told: list[tuple[int, int]] = []
        path = cluster.build(client, tmp_path, "clobber", SIZE, shards=6, progress=lambda *n: told.append(n))
        assert pathlib.Path(path).read_bytes() == expected
        assert told == sorted(told) and told[-1] == (3**12, 3**12)
        # It is there now: nothing is done.
        assert cluster.build(client, tmp_path, "clobber", SIZE) == path
        parts = cluster.build(client, tmp_path, "domineering", parts=7)
        (alone,) = Databases(tmp_path / "alone").build("domineering", parts=7)
        assert pathlib.Path(parts).read_bytes() == pathlib.Path(alone["file"]).read_bytes()


def test_a_worker_is_killed_and_another_comes(started: Cluster, expected: bytes, tmp_path: pathlib.Path):
    victim = started.worker()
    with started.client() as client:
        client.wait_for_workers(3, timeout=60)
        killed: list[int] = []

        def accident(done: int, total: int) -> None:
            if done > total // 4 and not killed:
                killed.append(done)
                os.kill(victim.pid, signal.SIGKILL)
                started.worker()

        path = cluster.build(client, tmp_path, "clobber", SIZE, shards=12, progress=accident)
        assert killed and victim.wait() == -signal.SIGKILL
        assert pathlib.Path(path).read_bytes() == expected


def test_shards_on_disk_make_the_same_file(started: Cluster, tmp_path: pathlib.Path):
    """A worker is killed in the middle; the table is that of one process."""
    (alone,) = Databases(tmp_path / "alone").build("clobber", within="3x4")
    victim = started.worker()
    with started.client() as client:
        client.wait_for_workers(3, timeout=60)
        told: list[tuple[int, int]] = []

        def accident(done: int, total: int) -> None:
            told.append((done, total))
            if done > total // 4 and victim.poll() is None:
                os.kill(victim.pid, signal.SIGKILL)
                victim.wait()

        path = cluster.build(client, tmp_path, "clobber", within="3x4", shard=2000, memory=10**8, progress=accident)
        assert victim.wait() == -signal.SIGKILL
        assert told == sorted(told) and told[-1][0] == told[-1][1] == alone["boards"]
        assert pathlib.Path(path).read_bytes() == pathlib.Path(alone["file"]).read_bytes()
        assert cluster.build(client, tmp_path, "clobber", within="3x4") == path
        with pytest.raises(gamebench.GameError, match="within and parts go with shard, memory and store"):
            cluster.build(client, tmp_path, "clobber", "2x2", within="3x4")
        with pytest.raises(gamebench.GameError, match="domineering has no tables of the parts within"):
            cluster.build(client, tmp_path, "domineering", within="3x4")


def test_layers_are_ended_by_workers(started: Cluster, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch):
    """Where the memory of the caller does not suffice to end a layer, workers do it, in tasks; one of them is killed in between."""
    (alone,) = Databases(tmp_path / "alone").build("clobber", within="2x7")
    victim = started.worker()
    steps: list[str] = []
    results = cluster._results

    def counted(client: object, tasks: list, kept: str):
        steps.extend(function.__name__ for function, *_ in tasks)
        if steps.count("_merge") > 20 and victim.poll() is None:
            os.kill(victim.pid, signal.SIGKILL)
            victim.wait()
        return results(client, tasks, kept)

    monkeypatch.setattr(cluster, "_results", counted)
    with started.client() as client:
        client.wait_for_workers(3, timeout=60)
        path = cluster.build(client, tmp_path, "clobber", within="2x7", shard=4000, memory=24 * 10**6)
    assert steps.count("_merge") > 20, steps
    assert pathlib.Path(path).read_bytes() == pathlib.Path(alone["file"]).read_bytes()


def test_what_is_stored_is_a_choice(started: Cluster, tmp_path: pathlib.Path):
    (alone,) = Databases(tmp_path / "alone").build("clobber", within="3x3", store="atomic-weight")
    with started.client() as client:
        path = cluster.build(client, tmp_path, "clobber", within="3x3", store="atomic-weight")
        assert pathlib.Path(path).read_bytes() == pathlib.Path(alone["file"]).read_bytes()
        with pytest.raises(gamebench.GameError, match="go with within or parts"):
            cluster.build(client, tmp_path, "clobber", "2x2", store="temperature")
        with pytest.raises(gamebench.GameError, match='expected "value", "temperature" or "atomic-weight"'):
            cluster.build(client, tmp_path, "clobber", within="2x2", store="weight")
    found = Databases(tmp_path).query(gamebench.position("clobber", "xxo|...|..."))
    assert found is not None and found["value"] is None and found["atomic_weight"] == 1


def test_outcomes_are_shared(started: Cluster, tmp_path: pathlib.Path):
    """The table that one process makes; killed in the middle, what was found is kept."""
    with started.client() as client:
        for game in ["clobber", "nogo"]:
            told: list[int] = []

            def stop(done: int, total: int) -> None:
                told.append(done)
                if done > total // 10:
                    raise KeyboardInterrupt

            with pytest.raises(KeyboardInterrupt):
                cluster.build(client, tmp_path, game, "3x4", store="outcome", progress=stop)
            path = cluster.build(client, tmp_path, game, "3x4", store="outcome", progress=lambda done, _: told.append(done))
            assert told == sorted(told)
            assert cluster.build(client, tmp_path, game, "3x4", store="outcome") == path
            command = [os.environ.get("GAMEBENCH", "gamebench"), "db", "build", game, "3x4", "--store", "outcome"]
            if shutil.which(command[0]):
                subprocess.run([*command, "--db", str(tmp_path / "alone")], check=True)
                name = pathlib.Path(path).name
                assert pathlib.Path(path).read_bytes() == (tmp_path / "alone" / name).read_bytes()
        with pytest.raises(gamebench.GameError, match="goes with a size"):
            cluster.build(client, tmp_path, "clobber", store="outcome")


def slow(seconds: float, victim: "subprocess.Popen[bytes]") -> None:
    """A worker that does nothing for a while, and then goes on."""
    os.kill(victim.pid, signal.SIGSTOP)
    time.sleep(seconds)
    os.kill(victim.pid, signal.SIGCONT)


def test_a_slow_worker_and_a_new_scheduler(tmp_path: pathlib.Path):
    """One worker stands still for a while; then the scheduler dies, and another one goes on with the shards that are there."""
    (alone,) = Databases(tmp_path / "alone").build("clobber", within="3x4")
    expected = pathlib.Path(alone["file"]).read_bytes()
    for round in range(int(os.environ.get("GB_LONG_TESTS", "0")) * 9 + 1):
        folder = tmp_path / f"round-{round}"
        folder.mkdir()
        first = Cluster(folder)
        workers = [first.worker(), first.worker()]
        client = first.client()
        client.wait_for_workers(2, timeout=60)
        reached: list[int] = []

        def accident(done: int, total: int) -> None:
            reached.append(done)
            if len(reached) == 5:
                slow(1.0, workers[0])
            if done > total // 2:
                first.scheduler.kill()

        with pytest.raises(cluster.SchedulerLost, match="kept in .*call build again"):
            cluster.build(client, folder, "clobber", within="3x4", shard=500, progress=accident)
        client.close(timeout=1)
        first.stop()
        first.file.unlink()
        second = Cluster(folder)
        second.worker()
        again: list[int] = []
        with second.client() as client:
            client.wait_for_workers(1, timeout=60)
            path = cluster.build(client, folder, "clobber", within="3x4", shard=500, progress=lambda done, _: again.append(done))
        second.stop()
        assert again[0] >= max(reached), "finished shards are kept"
        assert pathlib.Path(path).read_bytes() == expected


def test_positions_are_mapped(started: Cluster):
    """Results come as they are ready; what is there already is not done again."""

    def mean_of(position: gamebench.Position) -> str:
        return str(position.mean())

    texts = ["." * n + "|" + "." * n for n in range(1, 8)]
    expected = {index: mean_of(gamebench.position("domineering", text)) for index, text in enumerate(texts)}
    with started.client() as client:
        told: list[tuple[int, int]] = []
        found = cluster.map_positions(
            client, mean_of, "domineering", texts, positions_a_task=2, progress=lambda *n: told.append(n)
        )
        assert {index: result for index, _, result in found} == expected
        assert told == [(2, 7), (4, 7), (6, 7), (7, 7)] or told[-1] == (7, 7)
        # Given up in the middle, it goes on with the rest.
        done: dict[int, str] = {}
        for _ in cluster.map_positions(client, mean_of, "domineering", texts, positions_a_task=1, done=done):
            if len(done) == 3:
                break
        before = dict(done)
        rest = cluster.map_positions(client, mean_of, "domineering", texts, positions_a_task=1, done=done)
        assert not set(before) & {index for index, _, _ in rest}
        assert done == expected
        with pytest.raises(gamebench.GameError):
            list(cluster.map_positions(client, mean_of, "domineering", ["..", "nothing"]))


def test_errors_on_workers_come_out(started: Cluster, tmp_path: pathlib.Path):
    with started.client() as client:
        with pytest.raises(gamebench.GameError, match="did you mean `clobber`"):
            cluster.build(client, tmp_path, "clober", "2x2")
        # A folder that the workers cannot see.
        job = cluster._Job("run", str(tmp_path / "elsewhere"), "clobber", "2x2", None)
        with pytest.raises(gamebench.GameError, match="storage that all machines share"):
            client.submit(cluster._find, job, 0, 0, 81).result()
        shards = cluster._ShardJob("run", str(tmp_path / "elsewhere"), "clobber", "2x2")
        with pytest.raises(gamebench.GameError, match="storage that all machines share"):
            client.submit(cluster._find_shards, shards, 2, [0]).result()
        other = cluster._Job("run", str(tmp_path), "clobber", "2x2", None, version="0.0.0")
        with pytest.raises(gamebench.GameError, match="begun with 0.0.0"):
            client.submit(cluster._find, other, 0, 0, 81).result()


def test_matches_are_those_of_one_process(started: Cluster):
    with started.client() as client:
        settings = {"games": 6, "nodes": 100, "random_moves": 1}
        here = gamebench.match("ab", "random", "clobber", "3x3", **settings)
        assert cluster.match(client, "ab", "random", "clobber", "3x3", **settings) == here
        there = cluster.match(client, "hotstrat", "greedy", parts=5, games=8, games_a_task=3)
        here = gamebench.match("hotstrat", "greedy", parts=5, games=8)
        assert {**there, "seconds": None} == {**here, "seconds": None}


def test_the_scheduler_disappears(started: Cluster, expected: bytes, tmp_path: pathlib.Path):
    """The last test: it leaves no cluster."""
    client = started.client()

    def accident(done: int, total: int) -> None:
        if done > total // 3:
            started.scheduler.kill()

    with pytest.raises(cluster.SchedulerLost, match="kept in .*call build again"):
        cluster.build(client, tmp_path, "clobber", SIZE, shards=12, progress=accident)
    client.close(timeout=1)
    first: list[int] = []
    with distributed.Client(processes=False, n_workers=1, threads_per_worker=2, dashboard_address=None) as other:
        path = cluster.build(other, tmp_path, "clobber", SIZE, progress=lambda done, _: first.append(done))
    assert first[0] > 3**12 // 4, "what was finished was not done again"
    assert pathlib.Path(path).read_bytes() == expected
