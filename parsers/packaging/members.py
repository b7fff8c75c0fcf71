"""`unpack` removes the packaging layers of a file and yields the streams inside it."""

from collections.abc import Callable, Iterator
from io import FileIO
from os import PathLike, fspath, fstat

from iosq.parsers.packaging.recognise import HEAD_BYTES, recognise
from iosq.parsers.packaging.stream import ByteStream, Job, Member
from iosq.toolkit.errors import InputError

DEPTH = 3
"""Most layers that are removed: enough for ZIP of XMIT of TERSE."""
SMALLEST_LIMIT_BYTES = 1 << 30
LARGEST_RATIO = 1000

LooksLikePayload = Callable[[bytes], bool]


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
        member.owner = members
        yield member
        member.expire()


def _members(path: str, limit_bytes: int | None, looks_like_payload: LooksLikePayload) -> Iterator[Member]:
    try:
        file = FileIO(path)
    except (OSError, ValueError) as error:
        raise InputError(_reason(error), place=path) from error
    with file:
        job = Job(usual_limit(fstat(file.fileno()).st_size) if limit_bytes is None else limit_bytes)
        for member in _innermost(Member(path, ByteStream(_reading(file, path))), job, looks_like_payload):
            member.issues = job.issues
            yield member


def usual_limit(file_bytes: int) -> int:
    """The larger of 1 GiB and 1000 times the size of the file."""
    return max(SMALLEST_LIMIT_BYTES, LARGEST_RATIO * file_bytes)


def _reading(file: FileIO, path: str) -> Callable[[memoryview], int]:
    def fill(view: memoryview) -> int:
        try:
            return file.readinto(view) or 0
        except OSError as error:
            raise InputError(_reason(error), place=path) from error

    return fill


def _reason(error: Exception) -> str:
    return f"can't be read ({getattr(error, 'strerror', None) or error})"


def _innermost(entry: Member, job: Job, looks_like_payload: LooksLikePayload) -> Iterator[Member]:
    """`entry` itself if it is not packed, otherwise its content."""
    try:
        head = entry.stream.peek(HEAD_BYTES)
        # no package starts with an RDW that unpacking added, whatever the first record looks like
        payload = entry.framed or looks_like_payload(head)
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
