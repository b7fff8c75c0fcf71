"""`unpack` removes the packaging layers of a file and yields the streams inside it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import FileIO
from os import PathLike, fspath, fstat

from iosq.parsers.api import Issue
from iosq.parsers.packaging.recognise import HEAD_BYTES, recognise
from iosq.parsers.packaging.stream import ByteStream, Entry, Job, RecordFormat
from iosq.toolkit.errors import InputError

DEPTH = 3
"""Most layers that are removed: enough for ZIP of XMIT of TERSE."""
SMALLEST_LIMIT_BYTES = 1 << 30
LARGEST_RATIO = 1000

LooksLikePayload = Callable[[bytes], bool]


class Member:
    """One fully unpacked stream. It can be read once, until the next member is requested.

    Attributes:
        name: path and names inside the packages, for messages: `dump.zip!member.trs`.
        layers: removed layers, outermost first: `("zip", "xmit", "terse")`; empty for a plain file.
        record_format: `plain`: the bytes of the file or innermost package unchanged; `rdw`: logical records of a
            variable data set, each with an added RDW; `fixed`: records of `lrecl` bytes without descriptors.
        lrecl: record length in bytes as stated by the package, also for variable data sets; 0 for plain.
        issues: defects of the packages; complete at the end of the stream.

    Reading raises InputError if the content can't be read: limit exceeded, encrypted, partitioned, too deep.
    """

    def __init__(self, entry: Entry, issues: list[Issue]) -> None:
        self.name, self.layers, self.issues = entry.name, entry.layers, issues
        self.record_format: RecordFormat = entry.record_format
        self.lrecl = entry.lrecl
        self._stream: ByteStream | None = entry.stream
        self._keeps: object = None

    def peek(self, size: int = HEAD_BYTES) -> bytes:
        """The next `size` bytes, fewer only at the end, without consuming them."""
        return self._open().peek(size)

    def read(self, size: int = -1, /) -> bytes:
        """Read the next `size` bytes, fewer only at the end; the rest of the stream if `size` is negative."""
        return self._open().read(size)

    def readinto(self, buffer: bytearray | memoryview) -> int:
        """Fill `buffer` and return the number of bytes, fewer than its size only at the end. Faster than `read`."""
        return self._open().readinto(buffer)

    def _open(self) -> ByteStream:
        if self._stream is None:
            raise ValueError(f"{self.name}: read a member before asking for the next one")
        return self._stream

    def keep(self, owner: object) -> None:
        """Keep `owner` alive as long as this member; it closes the file when it is collected."""
        self._keeps = owner

    def expire(self) -> None:
        """Make further reads an error, as the next member was requested."""
        self._stream = self._keeps = None


def unpack(
    path: str | PathLike[str], limit_bytes: int | None = None, looks_like_payload: LooksLikePayload | None = None
) -> Iterator[Member]:
    """Yield the streams inside the file `path` in order; the file itself if it is not packed.

    Args:
        limit_bytes: most unpacked bytes at each level of nesting, over all members; None for `usual_limit`.
        looks_like_payload: test of a stream's first 64 KiB; if true (an SMF dump), the stream is not searched for
            further layers. TERSE has no magic number, so a dump could be mistaken for it.

    Raises:
        InputError: the file can't be opened. Errors in its content are raised when the member is read.
    """
    members = _members(fspath(path), limit_bytes, looks_like_payload or (lambda _head: False))
    for member in members:
        member.keep(members)
        yield member
        member.expire()


def _members(path: str, limit_bytes: int | None, looks_like_payload: LooksLikePayload) -> Iterator[Member]:
    with _opened(path) as file:
        job = Job(usual_limit(fstat(file.fileno()).st_size) if limit_bytes is None else limit_bytes)
        for entry in _innermost(Entry(path, ByteStream(_reading(file, path))), job, looks_like_payload):
            yield Member(entry, job.issues)


def usual_limit(file_bytes: int) -> int:
    """The larger of 1 GiB and 1000 times the size of the file."""
    return max(SMALLEST_LIMIT_BYTES, LARGEST_RATIO * file_bytes)


@contextmanager
def _opened(path: str) -> Iterator[FileIO]:
    try:
        file = FileIO(path)
    except (OSError, ValueError) as error:
        raise InputError(_reason(error), place=path) from error
    with file:
        yield file


def _reading(file: FileIO, path: str) -> Callable[[memoryview], int]:
    def fill(view: memoryview) -> int:
        try:
            return file.readinto(view) or 0
        except OSError as error:
            raise InputError(_reason(error), place=path) from error

    return fill


def _reason(error: Exception) -> str:
    return f"can't be read ({getattr(error, 'strerror', None) or error})"


def _innermost(entry: Entry, job: Job, looks_like_payload: LooksLikePayload) -> Iterator[Entry]:
    """`entry` itself if it is not packed, otherwise its content."""
    try:
        head = entry.stream.peek(HEAD_BYTES)
        # no package starts with an RDW that unpacking added, whatever the first record looks like
        payload = entry.record_format == "rdw" or looks_like_payload(head)
        opener = None if payload else recognise(head, entry.name)
        if opener and len(entry.layers) == DEPTH:
            raise InputError(f"packages are nested more than {DEPTH} deep", place=entry.name, remedy="unpack it first")
        for inner in opener(entry, job) if opener else ():
            yield from _innermost(inner, job, looks_like_payload)
    except InputError as error:
        yield entry.failed(error)
    else:
        if not opener:
            yield entry
