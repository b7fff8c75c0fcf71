"""Unpacks AMATERSE and TRSMAIN files (PACK and SPACK) as streams of records.

Facts: the Java program openmainframeproject/tersedecompress (commit ffeae555, Apache-2.0) and its test data; the
dictionary rules are in docs/explanation/packaging.md.
"""

import struct
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import chain, takewhile
from operator import add

from iosq.parsers.packaging.stream import Job, Member
from iosq.toolkit.errors import InputError

HEADER = struct.Struct(">BBHBBHI")
PACK, SPACK = 2, 5
MVS_FLAG = 0x04
LONGEST_LRECL = 1 << 16
LONGEST_RECORD = 0xFFFF - 4
"""Data bytes of the longest record that a 2-byte RDW length can hold."""

MARK_CODE, FIRST_ENTRY, CODES = 257, 258, 4096
MARK = "\u0100"
"""The record mark inside decoded text, where byte b is chr(b)."""

TRIAL_BYTES = 600
"""Packed bytes that must be decodable for a file to count as TERSE: 400 codes."""
FLUSH_CHARS = 1 << 17
# SPACK entries can double with each code: longer ones stay a tree and are expanded piecewise
LONGEST_TEXT = 1 << 12
PHYSICAL_RECORD_BYTES = 1024
TRIAL_CHARS = 1 << 20
CODES_BYTES = 3 * (1 << 14)


@dataclass(frozen=True, slots=True)
class Header:
    """The 12-byte header in front of the codes."""

    version: int
    variable: bool
    lrecl: int


class CodeError(Exception):
    """An invalid code: number `args[0]` in the file, from 0; never leaves this package."""


def parse_header(head: bytes) -> Header | None:
    """The header, or None if it is invalid. The version byte is not checked."""
    if len(head) < HEADER.size:
        return None
    version, variable, short, flags, ratio, block, long = HEADER.unpack_from(head)
    lrecl = short or long
    sound = (
        variable in (0, 1)
        and 0 < lrecl <= LONGEST_LRECL
        and (not long or long == lrecl)
        and (flags & MVS_FLAG or not (flags or ratio or block))
    )
    return Header(version, bool(variable), lrecl) if sound else None


def decodes(head: bytes) -> bool:
    """True if the codes behind a sound header can be decoded to the end of `head`, at most `TRIAL_BYTES`."""
    codes = split_codes(head[HEADER.size : HEADER.size + TRIAL_BYTES])
    size = 0
    try:
        for text in DECODERS[head[0]]([list(takewhile(bool, codes))]):
            size += len(text)
            if size > TRIAL_CHARS:
                break
    except CodeError:
        return False
    return True


def split_codes(data: bytes) -> list[int]:
    """The 12-bit codes of `data`; half a code at the end is padding."""
    import numpy as np

    whole = len(data) // 3 * 3
    triples = np.frombuffer(data[:whole], np.uint8).reshape(-1, 3).astype(np.uint16)
    pairs = np.empty((len(triples), 2), np.uint16)
    pairs[:, 0] = triples[:, 0] << 4 | triples[:, 1] >> 4
    pairs[:, 1] = (triples[:, 1] & 15) << 8 | triples[:, 2]
    codes: list[int] = pairs.ravel().tolist()
    if len(data) - whole == 2:
        codes.append(data[-2] << 4 | data[-1] >> 4)
    return codes


def unpack_pack(pieces: Iterable[list[int]]) -> Iterator[str]:
    """Decode PACK codes (1-4095), given in pieces.

    The format recycles the least recently used entry, and using an entry also uses its ancestors. Only leaves are
    recycled and each code creates one leaf. So a queue of leaves in order of creation is the order of use, if an entry
    that loses its last child goes to the front: it was last used when that child was created.

    Raises:
        CodeError: the code names the entry that is being recycled.
    """
    texts, parents, counts = _initial_codes()
    text, parent, children = texts.copy(), parents.copy(), counts.copy()
    leaves = deque([CODES - 1])
    oldest, add = leaves.popleft, leaves.append
    unfinished, last, done = 0, "", 0
    for codes in pieces:
        out: list[str] = []
        write = out.append
        size = 0
        for index, code in enumerate(codes):
            entry = oldest()
            while children[entry]:
                entry = oldest()
            above = parent[entry]
            children[above] -= 1
            if not children[above]:
                leaves.appendleft(above)
            if code == entry:
                yield "".join(out)
                raise CodeError(done + index)
            parent[entry] = code
            children[code] += 1
            add(entry)
            text[unfinished] = last + text[code][0]
            text[entry] = last = text[code]
            unfinished = entry
            write(last)
            size += len(last)
            if size > FLUSH_CHARS:
                yield "".join(out)
                out.clear()
                size = 0
        done += len(codes)
        yield "".join(out)


@cache
def _initial_codes() -> tuple[list[str], list[int], list[int]]:
    """Initial texts, parents and child counts of all codes."""
    text = ["", *map(chr, range(256)), MARK, *("\x40" * (code - 256) for code in range(FIRST_ENTRY, CODES))]
    parent = [max(code - 1, 0) for code in range(CODES)]
    # a count so high that literals never become leaves
    return text, parent, [1 << 62] * FIRST_ENTRY + [1] * (CODES - 1 - FIRST_ENTRY) + [0]


def unpack_spack(pieces: Iterable[list[int]]) -> Iterator[str]:
    """Decode SPACK codes (1-4095), given in pieces. Each code creates an entry from the last two codes.

    Raises:
        CodeError: the code names an empty entry.
    """
    rest = iter(pieces)
    head = next(rest, [])
    if not head:
        return
    last = head[0]
    if last >= FIRST_ENTRY:
        raise CodeError(0)
    tree = _Tree()
    yield tree.text[last] or ""
    done = 1
    for codes in chain([head[1:]], rest):
        out: list[str] = []
        size = 0
        for index, code in enumerate(codes):
            entry = tree.place()
            known = tree.text[code]
            if code >= tree.fresh or code == entry:
                yield "".join(out)
                raise CodeError(done + index)
            if known is None:
                yield "".join(out)
                yield from tree.expand(code)
                out, size = [], 0
            else:
                out.append(known)
                size += len(known)
            tree.put(entry, last, code)
            last = code
            if size > FLUSH_CHARS:
                yield "".join(out)
                out, size = [], 0
        done += len(codes)
        yield "".join(out)


class _Tree:
    """The SPACK dictionary: entries of two parts, their use counts, and a queue of unused entries."""

    def __init__(self) -> None:
        self.text: list[str | None] = ["", *map(chr, range(256)), MARK, *[None] * (CODES - FIRST_ENTRY)]
        self.fresh = FIRST_ENTRY
        self._left, self._right = [0] * CODES, [0] * CODES
        # a count so high that literals never enter the queue
        self._users = [1 << 62] * FIRST_ENTRY + [0] * (CODES - FIRST_ENTRY)
        self._queue: OrderedDict[int, None] = OrderedDict()

    def place(self) -> int:
        """The next entry to fill: the lowest free one, else the one unused for longest."""
        if self.fresh < CODES:
            return self.fresh
        entry = self._queue.popitem(last=False)[0]
        users = self._users
        for part in (self._left[entry], self._right[entry]):
            users[part] -= 1
            if not users[part]:
                self._queue[part] = None
        return entry

    def put(self, entry: int, left: int, right: int) -> None:
        """Fill `entry` with `left` followed by `right`."""
        users, queue, text = self._users, self._queue, self.text
        for part in (left, right):
            if not users[part]:
                del queue[part]
            users[part] += 1
        queue[entry] = None
        self._left[entry], self._right[entry] = left, right
        head, tail = text[left], text[right]
        short = head is not None and tail is not None and len(head) + len(tail) <= LONGEST_TEXT
        text[entry] = f"{head}{tail}" if short else None
        if entry == self.fresh:
            self.fresh += 1

    def expand(self, entry: int) -> Iterator[str]:
        """The text of a long entry, piece by piece."""
        out: list[str] = []
        size, stack = 0, [entry]
        while stack:
            part = stack.pop()
            known = self.text[part]
            if known is None:
                stack += (self._right[part], self._left[part])
                continue
            out.append(known)
            size += len(known)
            if size > FLUSH_CHARS:
                yield "".join(out)
                out, size = [], 0
        yield "".join(out)


DECODERS = {PACK: unpack_pack, SPACK: unpack_spack}


class _Reader:
    """Decodes one file; `ended` is true if it had its end code."""

    def __init__(self, entry: Member, version: int, job: Job) -> None:
        self._source, self._job, self._version = entry.stream, job, version
        self.ended = False

    def text(self) -> Iterator[str]:
        """The decoded text; an early end is logged as an issue and leaves `ended` False."""
        try:
            yield from DECODERS[self._version](self._pieces())
        except CodeError as error:
            self.ended = False
            at = HEADER.size + error.args[0] * 3 // 2
            self._job.log("terse", "package_damaged", at, "impossible code; the records before it were read")
        else:
            if not self.ended:
                text = "ends without its end code; the complete records were read"
                self._job.log("terse", "package_truncated", self._source.position, text)
            elif self._source.position <= HEADER.size + 2:
                text = "has no data (AMATERSE SPACK loses a data set of a single character)"
                self._job.log("terse", "package_empty", HEADER.size, text)
        self._finish()

    def _pieces(self) -> Iterator[list[int]]:
        while data := self._source.read(CODES_BYTES):
            codes = split_codes(data)
            if 0 in codes:
                codes = codes[: codes.index(0)]
                self.ended = True
                self._source.unread(data[(len(codes) + 1) * 3 // 2 :])
            yield codes
            if self.ended:
                return

    def _finish(self) -> None:
        """Read past the end code: old buffer content up to a multiple of 1024 bytes, then only padding."""
        end = self._source.position
        self._source.skip(-end % PHYSICAL_RECORD_BYTES)
        if self._source.drain() and self.ended:
            self._job.log(
                "terse", "package_trailing", end, "more than one physical record after its end code, not read"
            )


def open_terse(entry: Member, job: Job) -> Iterator[Member]:
    """The data set in a tersed file: variable records with an RDW each, or fixed records."""
    header = parse_header(entry.stream.read(HEADER.size))
    assert header is not None, "the caller recognised the header"
    reader = _Reader(entry, header.version, job)
    records = with_rdw(reader, entry) if header.variable else _fixed(reader, header.lrecl, entry, job)
    yield entry.inner("terse", job.metered(entry, records), framed=header.variable)


def with_rdw(reader: _Reader, entry: Member) -> Iterator[bytes]:
    """Variable records, each with its RDW. Marks separate records; the end code ends the last one, if any."""
    pending: list[str] = []
    size, seen = 0, False
    for text in reader.text():
        seen = seen or bool(text)
        first, *others = text.split(MARK)
        pending.append(first)
        size += len(first)
        if others:
            whole = ["".join(pending), *others]
            pending = [whole.pop()]
            size = len(pending[0])
            yield _prefixed(whole, entry.name)
        if size > LONGEST_RECORD:
            raise too_long(entry.name)
    if reader.ended and seen:
        yield _prefixed(["".join(pending)], entry.name)


def _prefixed(records: list[str], name: str) -> bytes:
    if max(map(len, records)) > LONGEST_RECORD:
        raise too_long(name)
    return "".join(map(add, map(_rdw, map(len, records)), records)).encode("latin-1")


@cache
def _rdw(size: int) -> str:
    return struct.pack(">HH", size + 4, 0).decode("latin-1")


def too_long(name: str) -> InputError:
    """The error for a record too long for an RDW."""
    return InputError(f"holds a record of more than {LONGEST_RECORD} bytes, which no RDW can describe", place=name)


def _fixed(reader: _Reader, lrecl: int, entry: Member, job: Job) -> Iterator[bytes]:
    """Consecutive fixed records; an incomplete record at the end is dropped with an issue."""
    rest = b""
    for text in reader.text():
        data = text.replace(MARK, "").encode("latin-1")
        # marks produce no output in a fixed file, but a hostile file may have an excessive number of them
        job.spend(entry, len(text) - len(data))
        data = rest + data
        whole = len(data) // lrecl * lrecl
        yield data[:whole]
        rest = data[whole:]
    if rest and reader.ended:
        job.log(
            "terse", "package_damaged", entry.stream.position, f"last record is shorter than {lrecl} bytes, dropped"
        )
