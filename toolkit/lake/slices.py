"""A large unpacked dump in slices, read by several processes or one after another by this one.

The slices depend only on the bytes and size of the dump, and each slice has its own writer. So the lake is byte for
byte the same for any number of processes.
"""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path

from iosq.parsers.api import Balance, Context, Issue
from iosq.parsers.registry import certain, recognise
from iosq.parsers.smf.cuts import Part, Slice, read_slice, survey
from iosq.parsers.smf.digests import Digests, Seen
from iosq.parsers.smf.reader import READER, Notes
from iosq.toolkit.lake.digests import Stored
from iosq.toolkit.lake.disk import lake_errors
from iosq.toolkit.lake.issues import IssueLog
from iosq.toolkit.lake.load import Load, Loader, Options, add, check
from iosq.toolkit.lake.part import Part as Written
from iosq.toolkit.lake.part import named
from iosq.toolkit.lake.processes import Processes, finished, heard, polled
from iosq.toolkit.lake.progress import Meter, Metered
from iosq.toolkit.lake.source import HEAD_BYTES, Identity, identify
from iosq.toolkit.lake.writer import Writer

SMALLEST = 64 << 20  # bytes of a slice: a smaller one would make many small files
LARGEST = 512 << 20  # what lies between looking and reading should still be in the page cache
USUAL = 8  # slices of a dump, if they can have these sizes
WORTH_PROCESSES = 512 << 20  # bytes of a dump: less is read while processes start
LOOKED_AT = 4 << 20  # bytes at a time when looking for cuts: the slice that is read meanwhile needs memory too
AHEAD = 2  # slices that wait while all processes are busy


@dataclass(frozen=True, slots=True)
class Job:
    """Destination of the rows of a dump, and the parameters of its slices."""

    lake: Path
    stage: Path
    file_id: str
    path: Path
    options: Options
    name: str = ""  # what staged files are called by, where several try the same


@dataclass(frozen=True, slots=True)
class Portion:
    """Result of a slice."""

    parts: list[Written]
    balance: Balance
    log: IssueLog
    notes: Notes
    digests: Digests


class Hands(AbstractContextManager["Hands"]):
    """Readers of slices: `jobs` processes, started with the first slice; a context manager."""

    def __init__(self, lake: Path, jobs: int) -> None:
        self._lake, self.jobs = lake, jobs
        self._held = ExitStack()
        self._processes: Processes | None = None
        self._base = 0, 0  # bytes and records of the files before

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: object) -> None:
        self._held.__exit__(kind, error, None)

    def identify(self, path: Path, tick: Callable[[], None]) -> Identity:
        return identify(path, tick)

    def cuts(self, size: int) -> list[int]:
        return wanted(size)

    def whole(self, job: Job, stored: Stored, meter: Meter) -> Load:
        """The whole of a file that is not split; errors as of `Loader.run`."""
        with Writer(job.stage, job.file_id, job.options.limits, job.name) as writer:
            load = Loader(job.lake, writer, stored.digests, meter, job.options).run(job.path)
            for issue in writer.issues():
                load.log.add(issue)
            return load

    def portions(self, job: Job, slices: Iterator[Slice], meter: Meter) -> Iterator[Portion]:
        """The results of the slices in their order; the meter gets their progress."""
        if self.jobs == 1 or job.path.stat().st_size < WORTH_PROCESSES:
            yield from (read(job, number, part, meter) for number, part in enumerate(slices))
            return
        if self._processes is None:
            self._processes = self._held.enter_context(Processes(self._lake, self.jobs))
        processes = self._processes
        waiting: deque[Future[Portion]] = deque()
        for number, part in enumerate(slices):
            waiting.append(processes.submit(_work, job, number, part))
            while len(waiting) > self.jobs + AHEAD:
                yield self._awaited(waiting.popleft(), processes, meter)
        while waiting:
            yield self._awaited(waiting.popleft(), processes, meter)
        self._base = processes.progress

    def _awaited(self, work: Future[Portion], processes: Processes, meter: Meter) -> Portion:
        for _ in polled([work]):
            done, records = processes.progress
            meter.elsewhere(done - self._base[0], records - self._base[1])
        return work.result()


def is_plain_dump(path: Path) -> bool:
    """True if a file is an unpacked SMF dump from its first byte on."""
    with path.open("rb", buffering=0) as file:
        head = file.read(HEAD_BYTES)
    return recognise(head) is READER and certain(head)


def wanted(size: int) -> list[int]:
    """Positions at which a dump of this size is split; empty if it is too small."""
    count = max(min(USUAL, size // SMALLEST), -(-size // LARGEST))
    return [size * n // count for n in range(1, count)]


def load(job: Job, cuts: list[int], stored: Digests, hands: Hands, meter: Meter) -> Load:
    """Read a dump in slices, cut as `wanted` says; LakeError if rows can't be written, or a process died."""
    found, notes = Load(kinds=[READER.kind], wanted=job.options.kinds), Notes()
    with job.path.open("rb", buffering=0) as file:
        slices = survey(file, cuts, stored.holds, job.options.kinds, LOOKED_AT)
        for portion in hands.portions(job, slices, meter):
            add(found.balance, portion.balance)
            found.log.absorb(portion.log)
            found.digests.absorb(portion.digests)
            found.parts += portion.parts
            notes.absorb(portion.notes)
    for issue in notes.issues():
        found.log.add(issue)
    check(found.balance, str(job.path), found.log)
    named(found.parts, job.file_id)
    return found


def _work(job: Job, number: int, part: Slice) -> Portion:
    size = part.end - part.begin
    meter = Meter(heard, size)
    meter.begin(size)
    portion = read(job, number, part, meter)
    finished(size, portion.balance.read)
    return portion


def read(job: Job, number: int, part: Slice, meter: Meter) -> Portion:
    """A slice into files of its own; LakeError if the rows can't be written."""
    stored = Digests()
    stored.add(part.seen)
    seen, balance, log, notes = Seen(stored.holds), Balance(), IssueLog(), Notes()
    meter.member(balance)
    with (
        job.path.open("rb", buffering=0) as file,
        Writer(job.stage, job.file_id, job.options.limits, f"slice{number}{job.name}") as writer,
    ):
        writer.declare(READER.tables())
        stream = Metered(Part(file, part, str(job.path)), meter)
        for item in read_slice(stream, part, balance, Context(seen, seen.fresh, job.options.kinds), notes):
            if isinstance(item, Issue):
                log.add(item)
            else:
                with lake_errors(job.lake):
                    writer.add(item)
        with lake_errors(job.lake):
            parts = writer.finish()
        for issue in writer.issues():
            log.add(issue)
    seen.absorb()
    return Portion(parts, balance, log, notes, seen.own)
