"""Runs of one kind: mutated inputs are read against the clock, some of them twice; what fails is kept.

What a file may hold many of (records of a dump, listings of a print file) is mostly read so: one input costs the
readers little compared with what a file costs, so twenty times as many are read in the same time. One input of 16 is
read alone.
"""

import hashlib
import resource
import signal
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from random import Random

from tests.fuzz.kinds import ROOT, Kind
from tests.fuzz.mutate import mutated

CORPUS = ROOT / "tests" / "broken" / "fuzz"
SECONDS = 10.0
"""Longest that reading one input may take, of processor time: a machine may be busy with other things."""
AGAIN = 4
"""Of this many inputs one is read a second time, in pieces of other sizes: rows that differ are seen as well so."""
TOGETHER = 128
"""This many inputs of four sound ones stand in one file."""
OF = 4
ALONE = 16
"""Of this many inputs one is a file of its own."""
MEMORY_MB = 400
"""Most that reading one input may add to what the process holds (about 110 MB), so that all stays below 512 MB."""


class HangError(Exception):
    """Reading took longer than `SECONDS`."""


@dataclass(slots=True)
class Result:
    """What a campaign found: inputs read, refused as a whole, failures with their inputs, and what it took."""

    kind: str
    runs: int = 0
    refused: int = 0
    failures: list[tuple[str, bytes]] = field(default_factory=list)
    slowest_s: float = 0.0
    cpu_s: float = 0.0
    memory_mb: float = 0.0


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    """Raise HangError in the block when the time is over."""

    def over(*_: object) -> None:
        raise HangError(f"not ready after {seconds:g} s of processor time")

    before = signal.signal(signal.SIGPROF, over)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def fault(kind: Kind, data: bytes, seconds: float = SECONDS, *, twice: bool = True) -> tuple[str, object]:
    """What is wrong with how `data` is read ('' if nothing), and what reading it gave."""
    before = memory_mb()
    try:
        with deadline(seconds):
            first = kind.read(data, Random(1))
            again = kind.read(data, Random(2)) if twice else first
    except HangError as error:
        return str(error), None
    except Exception as error:  # noqa: BLE001 - any exception is what we look for
        return _place(error), None
    if first != again:
        return "the same input gave other rows the second time", first
    if memory_mb() - before > MEMORY_MB:
        return f"more than {MEMORY_MB} MB for one input", first
    return "", first


def _place(error: Exception) -> str:
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {Path(frame.filename).name}:{frame.lineno} {frame.name}: {error}"[:300]


def memory_mb() -> float:
    """The most this process ever held, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def campaign(kind: Kind, runs: int, seed: int = 0) -> Result:
    """Read `runs` mutated inputs; a fault at a place that failed before is counted once."""
    result, seen = Result(kind.name), set[str]()
    began = time.process_time()
    for number, inputs in enumerate(files(kind, runs, seed)):
        start = time.perf_counter()
        text, given = fault(kind, b"".join(inputs), twice=number % AGAIN == 0)
        result.slowest_s = max(result.slowest_s, time.perf_counter() - start)
        result.runs += len(inputs)
        result.refused += given == "refused" or (isinstance(given, list) and "refused" in given)
        place = text.partition(": ")[0]
        if text and place not in seen:
            seen.add(place)
            result.failures.append((f"run {result.runs}: {text}", culprit(kind, inputs)))
    result.cpu_s, result.memory_mb = time.process_time() - began, memory_mb()
    return result


def files(kind: Kind, runs: int, seed: int) -> Iterator[list[bytes]]:
    """The inputs of each file: one, or many where a kind can be read so."""
    seeds, parts = kind.seeds(), kind.parts() if kind.parts else []
    turns = _turns(parts, seed)
    for first in range(0, runs, TOGETHER):
        numbers = range(first, min(first + TOGETHER, runs))
        alone = [run for run in numbers if not parts or run % ALONE == 0]
        yield from ([mutated(seeds, run, seed, text=kind.text)] for run in alone)
        many, some = [run for run in numbers if run not in alone], list(islice(turns, OF))
        if many and kind.headed and first // TOGETHER % 2:
            yield _below(kind, many, seed, some)
        elif many:
            yield [kind.fitted(mutated(parts, run, seed, text=kind.text, of=some)) for run in many]


def _below(kind: Kind, runs: list[int], seed: int, some: list[bytes]) -> list[bytes]:
    """Rows of a few listings, each changed many times below one heading that is sound: as fast as records."""
    inputs, share = [], -(-len(runs) // len(some))
    for part, first in zip(some, range(0, len(runs), share), strict=False):
        head, rows = kind.headed(part)
        found = [kind.fitted(mutated([rows], run, seed, text=kind.text)) for run in runs[first : first + share]]
        inputs += [head + found[0], *found[1:]]
    return inputs


def _turns(parts: list[bytes], seed: int) -> Iterator[bytes]:
    """Parts without end, each as often as any other, in an order of the seed's."""
    random = Random(f"{seed}/parts")
    while parts:
        yield from random.sample(parts, len(parts))


def culprit(kind: Kind, inputs: list[bytes]) -> bytes:
    """The one input of a file that fails alone, or else the whole file."""
    return next((data for data in inputs if fault(kind, data)[0]), b"".join(inputs))


def keep(kind: str, data: bytes) -> Path:
    """Write an input that failed into the corpus, under a name made of its content."""
    folder = CORPUS / kind
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{hashlib.sha256(data).hexdigest()[:12]}.bin"
    path.write_bytes(data)
    return path


def kept(kind: str) -> list[Path]:
    """The inputs of this kind that once failed."""
    return sorted((CORPUS / kind).glob("*.bin"))
