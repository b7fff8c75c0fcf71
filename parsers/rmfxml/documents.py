"""Parses a stream of XML documents, whole or damaged, into events; restarts expat after every break.

Document types, and so entity definitions, are rejected, and nothing outside the stream is read. After damage, parsing
resumes at the next report, so that one bad character loses one report and not the file.
"""

import codecs
import re
from typing import Any
from xml.parsers import expat

from iosq.parsers.rmfxml.recorder import CELL, Ledger, Recorder

ANCHOR = re.compile(rb"<(?:\?xml[\s?]|ddsml[\s>]|postprocessor[\s>]|report[\s>])")
PADDING = bytes(range(0x21)) + codecs.BOM_UTF8  # allowed around documents: blanks, end of file, UTF-8 byte order mark
ANCHOR_SIZE = 15  # the longest anchor; a chunk may end inside one
KEPT = 1 << 16
DEEPEST = 64  # RMF nests 8 deep
LONGEST = 1 << 22  # bytes without an event: expat would keep a tag without an end in memory
WRAP = b"<ddsml>"  # root for a report found after damage, as its own root is lost


class _RefusedError(Exception):
    """Raised inside expat at something that is not accepted."""


class _StaleError(Exception):
    """Raised inside expat at an encoding declaration that a transfer made wrong: EBCDIC, UTF-16, or an unknown name."""


class Documents:
    """Feeds expat in chunks. Keeps some bytes before the chunk, as damage may start there.

    `encoding` overrides the one that the documents declare.
    """

    def __init__(self, events: Recorder, ledger: Ledger, encoding: str | None = None) -> None:
        self._events, self._ledger = events, ledger
        self._window, self._offset, self._line = b"", 0, 0
        self._parser: Any = None
        self._seek = 0
        self._forced = self._encoding = encoding
        self._reported = self._junk = False

    def feed(self, data: bytes) -> None:
        """Parse the next chunk; an empty one ends the stream."""
        drop = max(len(self._window) - KEPT, 0)
        self._line += self._window[:drop].count(b"\n")
        self._offset += drop
        position: int | None = len(self._window) - drop
        self._window = self._window[drop:] + data
        while position is not None:
            position = self._parse(position, final=not data) if self._parser else self._find()
        if self._parser is None:
            self._junk |= self._lost(self._seek if data else self._end)
            if not data and self._junk and not self._reported:
                self._broken("no report begins", "xml_junk", self._end, 1)
        elif not data:
            self._ledger.frame(self._end)

    def _lost(self, to: int) -> bool:
        """Count the bytes outside documents up to offset `to`; True if they are more than padding."""
        text = self._window[max(self._ledger.at - self._offset, 0) : to - self._offset].strip(PADDING)
        (self._ledger.lost if text else self._ledger.frame)(to)
        return bool(text)

    def _broken(self, reason: str, code: str, offset: int, line: int) -> None:
        self._reported = True
        self._events.broken(reason, code, offset, line)

    @property
    def _end(self) -> int:
        return self._offset + len(self._window)

    def _parse(self, position: int, *, final: bool) -> int | None:
        try:
            self._parser.Parse(self._window[position:], final)
        except expat.ExpatError as error:
            return self._stop(self._base + max(self._parser.ErrorByteIndex, 0), str(error), error.code)
        except _RefusedError as refused:
            return self._stop(self._base + self._parser.CurrentByteIndex, str(refused), 0)
        except _StaleError:
            self._forced = self._encoding = "utf-8"
            self._begin(self._started, wrap=False)
            return max(self._started - self._offset, 0)
        if self._end - (self._base + self._parser.CurrentByteIndex) > LONGEST:
            return self._stop(self._end - ANCHOR_SIZE, "a tag or text without an end", 0)
        return None

    def _stop(self, at: int, reason: str, code: int) -> int | None:
        """Handle a parser stop at offset `at`, which is normal between documents and damage inside one."""
        after_root = self._root_closed and code in (_JUNK, _MISPLACED, _INVALID)
        empty_end = code == _NO_ELEMENT and at >= self._end and not self._depth and not self._root_seen
        if not after_root and not empty_end:
            place = self._line_of(at)
            truncated = code in (_NO_ELEMENT, _UNCLOSED, _PARTIAL)
            self._broken(reason, "xml_cut" if truncated else "xml_damaged", min(at, self._end), place)
        self._ledger.frame(at) if after_root or empty_end else None
        self._parser = None
        self._seek = at if after_root else max(at, self._started + 1)
        return self._find()

    def _line_of(self, offset: int) -> int:
        return self._line + self._window[: max(offset - self._offset, 0)].count(b"\n") + 1

    def _find(self) -> int | None:
        """Start a parser at the next anchor and return its place in the window, None if there is none yet."""
        found = ANCHOR.search(self._window, max(self._seek - self._offset, 0))
        if found is None:
            self._seek = max(self._seek, self._end - ANCHOR_SIZE)
            return None
        at = self._offset + found.start()
        line = self._line_of(self._ledger.at)
        if self._lost(at):
            self._broken("text between reports", "xml_junk", at, line)
        self._begin(at, wrap=found.group().startswith((b"<postprocessor", b"<report")))
        return found.start()

    def _begin(self, at: int, *, wrap: bool) -> None:
        self._parser = parser = expat.ParserCreate(self._encoding if wrap else self._forced)
        parser.buffer_text = True
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._finish
        parser.CharacterDataHandler = self._events.text
        parser.StartDoctypeDeclHandler = self._refuse
        parser.XmlDeclHandler = self._declared
        self._started, self._base, self._base_line = at, at, self._line_of(at) - 1
        self._depth, self._root_seen, self._root_closed = 0, False, False
        if wrap:
            self._base = at - len(WRAP)
            parser.Parse(WRAP, False)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        self._root_seen = True
        if self._depth > DEEPEST:
            raise _RefusedError(f"elements nested more than {DEEPEST} deep")
        if name == CELL:  # most elements are cells; an offset and a line for each would double the time
            self._events.start(name, attributes, 0, 0)
            return
        self._events.start(name, attributes, self._base + self._parser.CurrentByteIndex, self._at_line())

    def _finish(self, name: str) -> None:
        self._depth -= 1
        self._root_closed = self._depth == 0
        if name == CELL:
            self._events.end(name, 0, 0)
            return
        self._events.end(name, self._base + self._parser.CurrentByteIndex, self._at_line())

    def _at_line(self) -> int:
        return self._base_line + int(self._parser.CurrentLineNumber)

    def _refuse(self, *_: object) -> None:
        raise _RefusedError("a document type declaration, which RMF never writes, is not accepted")

    def _declared(self, _version: str, encoding: str | None, _standalone: int) -> None:
        if not self._forced and encoding and not _is_wider_ascii(encoding):
            raise _StaleError
        self._encoding = self._forced or encoding


def _is_wider_ascii(encoding: str) -> bool:
    """True if tags in this encoding have the ASCII bytes by which they were found."""
    try:
        return WRAP.decode().encode(encoding) == WRAP
    except (LookupError, ValueError):
        return False


_CODES = expat.errors.codes
_JUNK = _CODES[expat.errors.XML_ERROR_JUNK_AFTER_DOC_ELEMENT]
_MISPLACED = _CODES[expat.errors.XML_ERROR_MISPLACED_XML_PI]
_INVALID = _CODES[expat.errors.XML_ERROR_INVALID_TOKEN]
_NO_ELEMENT = _CODES[expat.errors.XML_ERROR_NO_ELEMENTS]
_UNCLOSED = _CODES[expat.errors.XML_ERROR_UNCLOSED_TOKEN]
_PARTIAL = _CODES[expat.errors.XML_ERROR_PARTIAL_CHAR]
