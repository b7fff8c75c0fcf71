"""Common parts of all packaging layers: a forward-only byte stream, look-ahead, output limit, issue log."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal

from iosq.parsers.api import Issue, Severity
from iosq.toolkit.errors import InputError

Fill = Callable[[memoryview], int]
Code = Literal["package_truncated", "package_damaged", "package_trailing", "package_empty"]

PIECE_BYTES = 1 << 16
"""Bytes of a package per read."""


class ByteStream:
    """A forward-only stream over `fill`, which writes 1 to n bytes into a view of n bytes, or returns 0 at the end."""

    def __init__(self, fill: Fill) -> None:
        self._fill, self._ahead, self.position = fill, b"", 0

    def peek(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end, without consuming them."""
        while len(self._ahead) < size:
            more = bytearray(size - len(self._ahead))
            got = self._fill(memoryview(more))
            if not got:
                break
            self._ahead += more[:got]
        return self._ahead[:size]

    def readinto(self, buffer: bytearray | memoryview) -> int:
        """Fill `buffer` and return the number of bytes; fewer than its length only at the end."""
        view = memoryview(buffer)
        done = min(len(view), len(self._ahead))
        if done:
            view[:done] = self._ahead[:done]
            self._ahead = self._ahead[done:]
        while done < len(view):
            got = self._fill(view[done:])
            if not got:
                break
            done += got
        self.position += done
        return done

    def read(self, size: int = -1) -> bytes:
        """Read the next `size` bytes, fewer only at the end; the rest of the stream if `size` is negative."""
        if size < 0:
            return b"".join(iter(lambda: self.read(PIECE_BYTES), b""))
        if size <= len(self._ahead):
            taken, self._ahead = self._ahead[:size], self._ahead[size:]
            self.position += size
            return taken
        buffer = bytearray(size)
        return bytes(memoryview(buffer)[: self.readinto(buffer)])

    def unread(self, data: bytes) -> None:
        self._ahead = data + self._ahead
        self.position -= len(data)

    def skip(self, size: int) -> int:
        """Skip up to `size` bytes and return the number skipped."""
        left = size
        while left:
            got = len(self.read(min(left, PIECE_BYTES)))
            if not got:
                break
            left -= got
        return size - left

    def drain(self, padding: bytes = b"\0") -> bool:
        """Read to the end, where outer layers check their sums; return True if anything but `padding` was found."""
        found = False
        while piece := self.read(PIECE_BYTES):
            found = found or bool(piece.strip(padding))
        return found


class Chunks:
    """A `Fill` over an iterator of byte strings; after an InputError each later call raises it again."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks, self._rest = chunks, memoryview(b"")
        self._error: InputError | None = None

    def __call__(self, view: memoryview) -> int:
        if self._error:
            raise self._error
        while not self._rest:
            try:
                self._rest = memoryview(next(self._chunks))
            except StopIteration:
                return 0
            except InputError as error:
                self._error = error
                raise
        got = min(len(view), len(self._rest))
        view[:got] = self._rest[:got]
        self._rest = self._rest[got:]
        return got


@dataclass(slots=True)
class Job:
    """One package being unpacked: its output limit per level of nesting, and the issues of the current member."""

    limit_bytes: int
    issues: list[Issue] = field(default_factory=list)
    spent_bytes: dict[int, int] = field(default_factory=dict)

    def log(self, layer: str, code: Code, offset: int, text: str) -> None:
        """Log an issue of `layer` at `offset` of its packed bytes; repeats only increase the count of the first."""
        message = f"{layer}: {text}"
        for at, issue in enumerate(self.issues):
            if (issue.code, issue.message) == (code, message):
                self.issues[at] = replace(issue, count=issue.count + 1)
                return
        severity: Severity = "notice" if code == "package_empty" else "data_loss"
        self.issues.append(Issue(code, severity, message, offset))

    def spend(self, entry: "Member", size: int) -> None:
        """Count `size` bytes unpacked from `entry`.

        Raises:
            InputError: the limit of this level of nesting is exceeded.
        """
        level = len(entry.layers)
        self.spent_bytes[level] = self.spent_bytes.get(level, 0) + size
        if self.spent_bytes[level] > self.limit_bytes:
            raise InputError(
                f"unpacks to more than the limit of {self.limit_bytes} bytes",
                place=entry.name,
                remedy="raise --unpack-limit if this is not a broken or hostile package",
            )

    def metered(self, entry: "Member", chunks: Iterator[bytes]) -> ByteStream:
        """A stream over `chunks` unpacked from `entry`, counted against the limit."""

        def counted() -> Iterator[bytes]:
            for chunk in chunks:
                self.spend(entry, len(chunk))
                yield chunk

        return ByteStream(Chunks(counted()))


@dataclass(slots=True)
class Member:
    """One stream in a file; fully unpacked, it can be read once, until the next member is requested.

    Attributes:
        name: path and names inside the packages, for messages: `dump.zip!member.trs`.
        layers: removed layers, outermost first: `("zip", "xmit", "terse")`; empty for a plain file.
        framed: true for the records of a variable data set, each with an added RDW.
        issues: defects of the packages; complete at the end of the stream.
        owner: what closes the file when it is collected; lives as long as the member can be read.

    It is read like a `ByteStream`, fastest by `readinto`. Reading raises InputError if the content can't be read: limit
    exceeded, encrypted, partitioned, too deep.
    """

    name: str
    stream: ByteStream
    layers: tuple[str, ...] = ()
    framed: bool = False
    issues: list[Issue] = field(default_factory=list)
    owner: object = None

    def peek(self, size: int) -> bytes:
        return self.stream.peek(size)

    def read(self, size: int = -1, /) -> bytes:
        return self.stream.read(size)

    def readinto(self, buffer: bytearray | memoryview) -> int:
        return self.stream.readinto(buffer)

    def expire(self) -> None:
        """Make further reads an error, as the next member was requested."""
        self.stream = _failing(ValueError(f"{self.name}: read a member before asking for the next one"))
        self.owner = None

    def inner(self, layer: str, stream: ByteStream, *, name: str = "", framed: bool = False) -> "Member":
        """The member one layer further in; `name` is its name in the package."""
        full = f"{self.name}!{name}" if name else self.name
        return Member(full, stream, (*self.layers, layer), framed)

    def failed(self, error: InputError) -> "Member":
        """This member with a stream that raises `error`."""
        return replace(self, stream=_failing(error))


def _failing(error: Exception) -> ByteStream:
    def fail(_view: memoryview) -> int:
        raise error

    return ByteStream(fail)


Opener = Callable[[Member, Job], Iterator[Member]]
