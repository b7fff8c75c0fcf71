"""One input: unpack, recognize, read, write to the staging folder; counts, issues and digests."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from iosq.parsers.api import Balance, Context, Issue, Reader
from iosq.parsers.packaging import Member
from iosq.parsers.registry import certain, diagnose
from iosq.parsers.registry import recognise as recognise_any
from iosq.parsers.smf.digests import Digests, Seen
from iosq.parsers.texts import Unread, unread
from iosq.toolkit.errors import InputError, printable
from iosq.toolkit.lake.disk import lake_errors
from iosq.toolkit.lake.issues import IssueLog
from iosq.toolkit.lake.part import Part
from iosq.toolkit.lake.progress import Meter, Metered
from iosq.toolkit.lake.source import HEAD_BYTES, Identity, Recognise, members
from iosq.toolkit.lake.writer import Limits, Writer

Listed = Mapping[str, Sequence[tuple[object, ...]]]
SMF = "smf"  # the kind of input whose records have types


@dataclass(frozen=True, slots=True)
class Options:
    """How inputs are read.

    Attributes:
        recognise: finds the reader for a stream's first bytes.
        kinds: of SMF records to decode, others are skipped; None for all.
        unpack_limit_bytes: most bytes that a packed file may unpack to; None: see `packaging.unpack`.
    """

    recognise: Recognise = recognise_any
    limits: Limits | None = None
    kinds: frozenset[str] | None = None
    unpack_limit_bytes: int | None = None


class UnknownInputError(InputError):
    """Not an input of iosq: no sign of a damaged or badly transferred one."""


@dataclass(slots=True)
class Load:
    """Content of one input: counts, issues and digests; the writer fills `parts` at the end.

    `wanted` are the requested kinds of SMF records, None for all.
    """

    balance: Balance = field(default_factory=Balance)
    log: IssueLog = field(default_factory=IssueLog)
    kinds: list[str] = field(default_factory=list)
    packaging: str = ""
    parts: list[Part] = field(default_factory=list)
    digests: Digests = field(default_factory=Digests)
    wanted: frozenset[str] | None = None

    def listed(self, path: Path, identity: Identity) -> Listed:
        file_id, total = identity.file_id, self.balance
        file = (
            file_id, identity.hash, printable(path.as_posix()), identity.bytes,
            " + ".join(sorted(set(self.kinds))), self.packaging,
            total.read, total.decoded, total.skipped, total.failed,
            total.frame_bytes, total.lost_bytes, total.total_bytes, len(self.digests),
        )  # fmt: skip
        kinds = [(file_id, n, k.read, k.decoded, k.skipped, k.failed, k.bytes) for n, k in sorted(total.kinds.items())]
        issues = [
            (file_id, n, i.code, i.severity, i.message, i.offset, i.record, i.count)
            for n, i in enumerate(self.log.rows())
        ]
        limited = self.wanted is not None and SMF in self.kinds
        wanted = [(file_id, " ".join(sorted(self.wanted or ())))] if limited else []
        return {"file": [file], "file_kind": kinds, "issue": issues, "file_wanted": wanted}


class Loader:
    """Reads all members of one input into a writer; `stored`: the digests of records the lake holds already."""

    def __init__(
        self, lake: Path, writer: Writer, stored: Digests, meter: Meter, options: Options | None = None
    ) -> None:
        self._lake, self._options = lake, options or Options()
        self._writer, self._meter = writer, meter
        self._seen = Seen(stored.holds)
        self._context = Context(self._seen, self._seen.fresh, self._options.kinds)
        self._errors: list[InputError] = []
        self._unread: Unread | None = None  # the first member that no reader takes
        self.load = Load(digests=self._seen.own, wanted=self._options.kinds)

    def run(self, path: Path) -> Load:
        """Read the input to its end; InputError if no member could be read, LakeError if the rows can't be written."""
        for member in members(path, self._options.unpack_limit_bytes):
            self._member(member)
            self._seen.absorb()
        if not self.load.kinds:
            raise self._refusal(path)
        with lake_errors(self._lake):
            self.load.parts = self._writer.finish()
        return self.load

    def _refusal(self, path: Path) -> InputError:
        if self._errors:
            return self._errors[0]
        if not self.load.balance.total_bytes:
            return UnknownInputError("is empty", place=str(path))
        what, remedy = self._unread or unread(b"")
        return UnknownInputError(what, place=str(path), remedy=remedy)

    def _member(self, member: Member) -> None:
        balance = Balance()
        self._meter.member(balance)
        stream = Metered(member, self._meter)
        try:
            head = member.peek(HEAD_BYTES)
            reader = self._options.recognise(head)
            if reader is None:
                self._unread = self._unread or unread(head)
                self._leave(stream, balance, diagnose(head), unread(head).what)
            else:
                self._read(stream, reader, balance, "" if certain(head) else diagnose(head))
                self.load.packaging = self.load.packaging or " > ".join(member.layers)
        except InputError as error:
            self._errors.append(error)
            self.load.log.add(Issue("unreadable", "error", str(error)))
        for issue in member.issues:
            self.load.log.add(issue)
        add(self.load.balance, balance)

    def _leave(self, stream: Metered, balance: Balance, known: str, what: str) -> None:
        """Skip a member without a reader: count its bytes as lost and report an issue."""
        while data := stream.read(HEAD_BYTES):
            balance.total_bytes += len(data)
        balance.lost_bytes = balance.total_bytes
        if known:
            self._errors.append(InputError(known, place=stream.name))
        self.load.log.add(Issue("unrecognised", "notice", f"{printable(stream.name)}: {known or what}"))

    def _read(self, stream: Metered, reader: Reader, balance: Balance, doubt: str) -> None:
        """Read a member; `doubt` names its other possible kind, which is assumed if nothing can be decoded."""
        self._writer.declare(reader.tables())
        for item in reader.read(stream, balance, self._context):
            if isinstance(item, Issue):
                self.load.log.add(item)
            else:
                with lake_errors(self._lake):
                    self._writer.add(item)
        if doubt and not balance.decoded:
            raise InputError(doubt, place=stream.name)
        self.load.kinds.append(reader.kind)
        check(balance, stream.name, self.load.log)


def check(balance: Balance, name: str, log: IssueLog) -> None:
    """Report records or bytes that do not add up: the reader is wrong in that case."""
    if not balance.balanced:
        log.add(Issue("unbalanced", "error", f"{printable(name)}: {_imbalance(balance)}"))


def _imbalance(balance: Balance) -> str:
    counted = sum(k.bytes for k in balance.kinds.values()) + balance.frame_bytes + balance.lost_bytes
    records = f"{balance.decoded} decoded + {balance.skipped} skipped + {balance.failed} failed"
    return f"{balance.read} records read, {records}; {balance.total_bytes} bytes read, {counted} accounted for"


def add(total: Balance, member: Balance) -> None:
    """Add the counts of a part of an input."""
    for name, counts in member.kinds.items():
        kind = total.kind(name)
        for key in ("read", "decoded", "skipped", "failed", "bytes"):
            setattr(kind, key, getattr(kind, key) + getattr(counts, key))
    total.frame_bytes += member.frame_bytes
    total.lost_bytes += member.lost_bytes
    total.total_bytes += member.total_bytes
