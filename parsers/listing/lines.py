"""Splits a listing into lines; detects code page, line ends and the control column from the first bytes.

Each byte is one character until lines are split; UTF-8 is decoded afterwards. So sizes are bytes of the file,
and positions are columns of the page.
"""

import codecs
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from iosq.parsers.api import Stream, read_fully
from iosq.parsers.listing import machine
from iosq.parsers.listing.period import periods

CONTROLS = frozenset(" 01-+")
PAGE = re.compile(r"1(?:  |FCX)")  # start of the first line of a page; no row starts like this
MOST, HALF = 0.95, 0.5
CHUNK = 1 << 20
LONGEST = 1 << 12  # a longer "line" is damage: only its first characters are used, all its bytes are counted
BLANKED = str.maketrans("\r\f\t\0\x1a", "     ")  # X'1A' ends a DOS file
TAB = 8  # characters between tab stops


@dataclass(frozen=True, slots=True)
class Form:
    """Format of a listing: code page, fixed record length (0: line ends), True if column 1 is carriage control."""

    code_page: Literal["ascii", "ebcdic"]
    record_length: int
    control: bool


@dataclass(slots=True)
class Block:
    """Consecutive lines: `number` (from 1) of the first, texts, sizes in bytes with line end.

    Texts have no line end; carriage returns, form feeds, ends of file and NULs become blanks, tabs are expanded. If the
    listing has a control column, `controls` has its characters and texts start with a blank instead, else it is empty.
    A line printed over the one before it keeps its `+`, to distinguish it from a separate line. The text of a line
    longer than `LONGEST` is truncated, and a line longer than a chunk comes in several pieces. `whole` is False if the
    listing ends without a line end (or inside a record), so that it may be truncated there.
    """

    number: int
    lines: list[str]
    sizes: list[int]
    controls: str
    whole: bool


def _ebcdic_table() -> bytes:
    table = bytearray(bytes(range(256)).decode("cp037").encode("latin-1").replace(b"\n", b" "))
    for end in (0x15, 0x25, 0x0A):  # NEL, LF, and the LF of a transfer that only changed line ends
        table[end] = 0x0A
    return bytes(table)


EBCDIC = _ebcdic_table()


def is_ebcdic(head: bytes) -> bool:
    """True if the bytes are EBCDIC text: the EBCDIC blank is more frequent than the ASCII blank."""
    return head.count(0x40) > head.count(0x20)


def decode(data: bytes, code_page: str) -> str:
    """Bytes as text, one character per byte; every line end, also a carriage return alone, becomes a line feed."""
    if code_page == "ebcdic":
        data = data.translate(EBCDIC)
    # some systems end lines with a carriage return only
    if b"\n" not in data and data.count(b"\r") * LONGEST > len(data):
        data = data.replace(b"\r", b"\n")
    return data.decode("latin-1")


def detect(head: bytes) -> Form:
    """Detect the format of a listing from its first bytes (some KiB; more bytes make it more reliable)."""
    code_page: Literal["ascii", "ebcdic"] = "ebcdic" if is_ebcdic(head) else "ascii"
    head = head.removeprefix(codecs.BOM_UTF8)
    text = decode(head, code_page)
    length = 0 if "\n" in text else _record_length(text)
    lines = _fixed(text, length) if length else text.split("\n")
    return Form(code_page, length, machine.mostly(lines) or _has_control(machine.asa(lines, "")[0], HALF))


def _has_control(lines: Sequence[str], share: float = MOST) -> bool:
    """True if most lines have carriage control in column 1, including a new page; `share` of them if `PAGE` matches."""
    filled = [line for line in _blanked([*lines]) if line.strip()]
    first = [line[0] for line in filled]
    share = share if any(map(PAGE.match, filled)) else MOST
    return "1" in first and sum(c in CONTROLS for c in first) >= share * len(first)


def _record_length(text: str) -> int:
    found = periods(text)
    whole = [n for n in found if len(text) % n == 0] or found
    return next((n for n in whole if _has_control(_fixed(text, n))), next(iter(found), 0))


def _fixed(text: str, length: int) -> list[str]:
    return [text[i : i + length] for i in range(0, len(text), length)]


def blocks(stream: Stream, chunk: int = CHUNK) -> Iterator[Block]:
    """Yield the lines of a stream in blocks of about `chunk` bytes; sizes add up to the bytes read."""
    data = read_fully(stream, chunk)
    form = detect(data[: 1 << 16])
    number, rest, before = 1, "", ""
    while data:
        following = read_fully(stream, chunk)
        text = rest + decode(data, form.code_page)
        lines, sizes, rest = _split(text, form.record_length, last=not following)
        ended = sizes[-1:] == [form.record_length] if form.record_length else text.endswith("\n")
        whole = ended or not lines or bool(following)
        lines = lines if form.code_page == "ebcdic" else _characters(lines)
        lines, before = machine.asa(lines, before)
        controls, lines = _controls(lines) if form.control else ("", _blanked(lines))
        yield Block(number, lines, sizes, controls, whole)
        number, data = number + len(lines), following


def _split(text: str, length: int, *, last: bool) -> tuple[list[str], list[int], str]:
    if length:
        whole = len(text) if last else len(text) - len(text) % length
        lines = _fixed(text[:whole].replace("\n", " "), length)
        return lines, [len(line) for line in lines], text[whole:]
    lines = text.split("\n")
    rest = lines.pop()
    sizes = [len(line) + 1 for line in lines]
    if rest and (last or len(rest) > LONGEST):
        lines.append(rest)
        sizes.append(len(rest))
        rest = ""
    if max(sizes, default=0) > LONGEST:
        lines = [line[:LONGEST] for line in lines]
    return lines, sizes, rest


def _characters(lines: list[str]) -> list[str]:
    """Decode lines of one character per byte as UTF-8 if valid, else as Latin-1."""
    if all(map(str.isascii, lines)):
        return lines
    return [line if line.isascii() else _character(line) for line in lines]


def _character(line: str) -> str:
    try:
        return line.encode("latin-1").decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return line


def _blanked(lines: list[str]) -> list[str]:
    text = "\n".join(lines)
    text = text.expandtabs(TAB) if "\t" in text else text
    return text.translate(BLANKED).split("\n") if lines else []


def _controls(lines: list[str]) -> tuple[str, list[str]]:
    blanked = _blanked(lines)
    first = "".join([line[:1] or " " for line in blanked])
    return first, [" " + line[1:] if c in "01-" else line for c, line in zip(first, blanked, strict=True)]
