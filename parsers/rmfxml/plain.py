"""Runs of rows and variables, and headers, with nothing but printable ASCII in them: most of a document.

What is matched here is well-formed and means what the parser would say, and is read faster whole than by its events;
all else is left to the parser.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_GAP = r"[ \n]*+(?:\r\n[ \n]*+)*+"
_TEXT = r"[ -%'-;=?-~]*+(?:&(?:lt|gt|amp|quot|apos);[ -%'-;=?-~]*+)*+"
_ATTRIBUTES = r"""(?: [a-z]++="[ !#-%'-;=?-~]*+")*+"""
_OPEN = r'<col(?: type="[A-Z]")?'
_COLUMNS = rf"(?:{_GAP}{_OPEN}(?:/>|>{_TEXT}</col>))*+"
_CELL = re.compile(rf"{_OPEN}(?:/>|>([^<]*+)</col>)")
_ATTRIBUTE = re.compile(r' ([a-z]+)="([^"]*)"')
_HEADERS = re.compile(rf"<column-headers>({_COLUMNS}){_GAP}</column-headers>")
_ROW = re.compile(rf"{_GAP}(<)row({_ATTRIBUTES})>({_COLUMNS}){_GAP}</row>")
_VARIABLE = re.compile(rf"{_GAP}(<)var>{_GAP}<name>({_TEXT})</name>{_GAP}<value>({_TEXT})</value>{_GAP}</var>")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))
_LONGEST = 60_000  # characters of a record; what is longer may have cells too long or too many

BEGINS = re.compile(r"<(?:row[ >]|var>|column-headers>)")
"""Where such a record may begin."""
BLANKED = bytes(n if n in b"\r\n" else 0x20 for n in range(256))
"""What the parser is given in place of them, so that its lines and offsets stay those of the stream."""
CODE_PAGES = frozenset({"utf-8", "us-ascii", "iso-8859-1"})
"""Encodings in which printable ASCII is what it is elsewhere."""


class Row(NamedTuple):
    """A row of a table: where it begins and ends in the text given, how many line ends before it."""

    start: int
    end: int
    lines: int
    attributes: dict[str, str]
    cells: list[str]


class Variable(NamedTuple):
    """A name and its value, and where they are."""

    start: int
    end: int
    lines: int
    name: str
    value: str


def headers(text: str, at: int) -> tuple[list[str], int] | None:
    """The column headers that begin at `at`, if they are plain, and where they end."""
    found = _HEADERS.match(text, at)
    return (_cells(found[1]), found.end()) if found and found.end() - at <= _LONGEST else None


def rows(text: str, at: int) -> Iterator[Row]:
    """The plain rows from `at` on that follow each other; `text` has a character for each byte of the document."""
    lines = 0
    while (found := _ROW.match(text, at)) and found.end() - at <= _LONGEST:
        start, end = found.start(1), found.end()
        pairs = _ATTRIBUTE.findall(found[2])
        attributes = dict(pairs)
        if len(attributes) < len(pairs):  # an attribute twice is damage
            return
        lines += text.count("\n", at, start)
        yield Row(start, end, lines, attributes, _cells(found[3]))
        lines += text.count("\n", start, end)
        at = end


def variables(text: str, at: int) -> Iterator[Variable]:
    """The plain variables from `at` on that follow each other."""
    lines = 0
    while (found := _VARIABLE.match(text, at)) and found.end() - at <= _LONGEST:
        start, end = found.start(1), found.end()
        lines += text.count("\n", at, start)
        yield Variable(start, end, lines, _value(found[2]), _value(found[3]))
        lines += text.count("\n", start, end)
        at = end


def _cells(body: str) -> list[str]:
    cells = _CELL.findall(body)
    return [_value(cell) for cell in cells] if "&" in body or "> " in body or " <" in body else cells


def _value(written: str) -> str:
    if "&" in written:
        for entity, character in _ENTITIES:
            written = written.replace(entity, character)
    return written.strip()
