"""Ingest: files and folders are read, with one outcome per file."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as with_values
from pathlib import Path
from typing import Literal

from iosq.parsers.api import Balance, Issue
from iosq.parsers.registry import recognise as recognise_any
from iosq.toolkit.errors import InputError
from iosq.toolkit.lake import crew as crews
from iosq.toolkit.lake import manifest, slices
from iosq.toolkit.lake.commit import Verdict, commit
from iosq.toolkit.lake.compact import separate
from iosq.toolkit.lake.digests import Stored
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.load import Load, Options, UnknownInputError
from iosq.toolkit.lake.part import named
from iosq.toolkit.lake.progress import Meter, Progress
from iosq.toolkit.lake.slices import Hands, Job, is_plain_dump
from iosq.toolkit.lake.source import Found, Identity, Recognise, check_unchanged, find, identify
from iosq.toolkit.lake.stage import stage, sweep
from iosq.toolkit.lake.writer import Limits

WORTH_A_PROCESS = 8 << 20  # bytes of a file: less is read while a process starts
Status = Literal["stored", "already", "refused", "left_out"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result for one file.

    `status` is `stored` (now in the lake), `already` (there with the same bytes), `refused` (unreadable, nothing is
    stored), or `left_out` (on purpose). `reason` is one line for the last two.
    """

    path: Path
    status: Status
    reason: str = ""
    file_id: str = ""
    kind: str = ""
    bytes: int = 0
    rows: int = 0
    balance: Balance = field(default_factory=Balance)
    issues: tuple[Issue, ...] = ()


def ingest(
    lake: Lake,
    paths: Iterable[Path],
    *,
    recognise: Recognise = recognise_any,
    progress: Progress | None = None,
    limits: Limits | None = None,
    jobs: int = 1,
    wanted: frozenset[str] | None = None,
    unpack_limit_bytes: int | None = None,
) -> list[Outcome]:
    """Bring files, and all files of folders, into the lake; as `iosq.ingest`, which has the other arguments.

    Where no file can be read, no lake is left that wasn't there before.

    Args:
        recognise, limits, unpack_limit_bytes: see `Options`.
        jobs: most processes, where `recognise` is the usual one; small inputs take one. Several files are read at
            once, or slices of a large dump, whichever is done sooner.
        wanted: kinds of SMF records to decode, others are skipped; None for all.
    """
    former = lake.exists
    lake.create()
    sweep(lake.path)
    inputs = list(find([Path(path) for path in paths], lake.path))
    options = Options(recognise, limits, wanted, unpack_limit_bytes)
    if recognise is recognise_any and (crew := _crew(inputs, jobs)) > 1:
        outcomes = crews.run(lake.path, options, crew, inputs, progress)
    else:
        meter = Meter(progress, sum(f.bytes for f in inputs))
        with Hands(lake.path, jobs) as hands:
            run = _Run(lake, options, meter, hands=hands)
            outcomes = [run.file(f) for f in inputs]
        meter.tick(now=True)
    if not former:
        lake.discard_empty()
    return outcomes


def _crew(inputs: Sequence[Found], jobs: int) -> int:
    """Number of processes worth starting for one file each; 1 if slices of the largest files finish sooner."""
    sizes = [f.bytes for f in inputs if not f.left_out and not f.refused and f.bytes >= WORTH_A_PROCESS]
    crew = min(jobs, len(sizes))
    if crew > 1:
        cut = sum(f.bytes for f in inputs if f.bytes >= slices.WORTH_PROCESSES and is_plain_dump(f.path))
        in_slices = cut / jobs + sum(sizes) - cut
        return 1 if in_slices < max(*sizes, sum(sizes) / crew) else crew
    return crew


def alone(
    lake: Path,
    source: Found,
    options: Options,
    turn: Callable[[], None],
    progress: Progress | None,
    hands: Hands | None = None,
) -> Outcome:
    """Ingest one of several files that are read in parallel; `turn` comes back when the file may be committed."""
    return _Run(Lake(lake), options, Meter(progress, source.bytes), turn, hands).file(source)


def replace(lake: Lake, path: Path) -> Outcome:
    """Read an input again whose rows in the lake were damaged, in place of them.

    InputError if it can't be read, or its content isn't known to the lake; LakeError if the disk refuses.
    """
    return _Run(lake, Options(), Meter(None, 0)).again(path)


class _Run:
    """State shared by all files of one ingest."""

    def __init__(
        self,
        lake: Lake,
        options: Options,
        meter: Meter,
        turn: Callable[[], None] = lambda: None,
        hands: Hands | None = None,
    ) -> None:
        self._lake, self._options, self._meter, self._turn = lake.path, options, meter, turn
        self._hands = hands or Hands(lake.path, 1)
        self._stored = Stored(lake.path)

    def file(self, source: Found) -> Outcome:
        if source.left_out:
            return Outcome(source.path, "left_out", source.left_out)
        if source.refused:
            return Outcome(source.path, "refused", str(InputError(source.refused, place=str(source.path))))
        self._meter.begin(source.bytes)
        try:
            return self._file(source.path)
        except UnknownInputError as error:
            # a folder may hold other files than dumps; a file named explicitly must be one
            return Outcome(source.path, "refused" if source.named else "left_out", str(error), bytes=source.bytes)
        except InputError as error:
            return Outcome(source.path, "refused", str(error), bytes=source.bytes)
        except OSError as error:
            reason = InputError(f"can't be read: {error.strerror or error}", place=str(source.path))
            return Outcome(source.path, "refused", str(reason), bytes=source.bytes)
        finally:
            self._meter.end()

    def _file(self, path: Path) -> Outcome:
        identity = self._hands.identify(path, self._meter.tick)
        file_id = identity.file_id
        while True:
            with manifest.reading(self._lake) as db:
                committed = manifest.digest_counts(db)
                had = manifest.wanted(db, file_id)
            kinds = self._options.kinds
            if file_id in committed and _suffices(had, kinds):
                return Outcome(path, "already", file_id=file_id, bytes=identity.bytes)
            if file_id in committed:
                wanted = None if kinds is None or had is None else kinds | had
                load, verdict = self._anew(path, identity, committed, wanted)
            else:
                self._stored.refresh(committed)
                load, verdict = self._attempt(path, identity, self._stored, kinds)
            if verdict is Verdict.DONE:
                return _stored(path, identity, load)

    def again(self, path: Path) -> Outcome:
        """Replace the stored rows of a file; records owned by other files stay theirs."""
        identity = identify(path, self._meter.tick)
        with manifest.reading(self._lake) as db:
            committed = manifest.digest_counts(db)
            if identity.file_id not in committed:
                raise InputError("is not an input of this lake", place=str(path))
            wanted = manifest.wanted(db, identity.file_id)
        load, _ = self._anew(path, identity, committed, wanted)
        return _stored(path, identity, load)

    def _anew(
        self, path: Path, identity: Identity, committed: dict[str, int], wanted: frozenset[str] | None
    ) -> tuple[Load, Verdict]:
        separate(self._lake, identity.file_id)
        others = Stored(self._lake)
        others.refresh({file_id: count for file_id, count in committed.items() if file_id != identity.file_id})
        with manifest.reading(self._lake) as db:
            former = manifest.paths_of(db, identity.file_id)
        return self._attempt(path, identity, others, wanted, former)

    def _attempt(
        self,
        path: Path,
        identity: Identity,
        stored: Stored,
        wanted: frozenset[str] | None,
        replacing: frozenset[str] | None = None,
    ) -> tuple[Load, Verdict]:
        """Read the whole file and try to commit it; another ingest may have come first."""
        with stage(self._lake) as folder:
            load = self._load(path, identity, folder, stored, wanted)
            self._turn()
            check_unchanged(path, identity)
            if replacing:
                named(load.parts, identity.file_id, replacing)
            return load, commit(self._lake, folder, path, identity, load, stored, replacing=replacing)

    def _load(
        self, path: Path, identity: Identity, folder: Path, stored: Stored, wanted: frozenset[str] | None
    ) -> Load:
        """Everything of the file, its rows in the folder; in slices if it is a large dump."""
        job = Job(self._lake, folder, identity.file_id, path, with_values(self._options, kinds=wanted))
        cuts = self._hands.cuts(identity.bytes)
        if cuts and self._options.recognise is recognise_any and is_plain_dump(path):
            return slices.load(job, cuts, stored.digests, self._hands, self._meter)
        return self._hands.whole(job, stored, self._meter)


def _suffices(had: frozenset[str] | None, wanted: frozenset[str] | None) -> bool:
    """True if all requested kinds of records (None: all) were requested before."""
    return had is None or (wanted is not None and wanted <= had)


def _stored(path: Path, identity: Identity, load: Load) -> Outcome:
    return Outcome(
        path,
        "stored",
        file_id=identity.file_id,
        kind=" + ".join(sorted(set(load.kinds))),
        bytes=identity.bytes,
        rows=sum(part.rows for part in load.parts),
        balance=load.balance,
        issues=tuple(load.log.rows()),
    )
