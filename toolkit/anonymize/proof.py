"""Verify that no replaced string remains in any file, packed or unpacked, in ASCII or EBCDIC."""

import re
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from iosq.toolkit.anonymize.columns import words
from iosq.toolkit.anonymize.pseudonym import SHORTEST_PART
from iosq.toolkit.lake import manifest
from iosq.toolkit.rows import grouped

SHORTEST = 3
CHUNK = 1 << 22
_SEPARATOR = re.compile(r"[^A-Za-z0-9@#$]+")


@dataclass(frozen=True, slots=True)
class Proof:
    """Numbers of searched strings and data. `left`: remaining strings with the file of each; empty on success."""

    strings: int
    too_short: int
    files: int
    bytes: int
    values: int
    left: tuple[tuple[str, str], ...]


class Needles:
    """Strings to search for, as whole words or, with six or more characters, anywhere in bytes."""

    def __init__(self, strings: Iterable[str]) -> None:
        self.words = frozenset(strings)
        forms: dict[bytes, str] = {}
        for text in sorted(w for w in self.words if len(w) >= SHORTEST_PART):
            ebcdic = text.encode("cp037", "replace")
            forms |= {text.encode(): text, ebcdic: text, ebcdic.hex().upper().encode(): text}
        self._forms = grouped(forms.items(), lambda form: int.from_bytes(form[0][:SHORTEST_PART], "little"))
        self._keys = np.array(sorted(self._forms), np.uint64)
        self._starts = np.zeros(1 << 16, bool)
        self._starts[(self._keys & np.uint64(0xFFFF)).astype(np.int64)] = True
        self._longest = max((len(form) for form in forms), default=0)

    def in_text(self, text: str) -> set[str]:
        """The needles that equal the text or one of its words."""
        return {text, *text.split(), *_SEPARATOR.split(text)} & self.words

    def in_bytes(self, data: bytes) -> set[str]:
        """The needles of six or more characters in bytes, in UTF-8, EBCDIC, or EBCDIC as hexadecimal digits."""
        step = CHUNK - self._longest
        return set().union(*(self._in_chunk(data[i : i + CHUNK]) for i in range(0, len(data), max(step, 1))))

    def _in_chunk(self, data: bytes) -> set[str]:
        raw = np.frombuffer(data, np.uint8)
        if len(raw) < SHORTEST_PART or not len(self._keys):
            return set()
        pairs = raw[:-1].astype(np.int64) | raw[1:].astype(np.int64) << 8
        at = np.flatnonzero(self._starts[pairs[: len(raw) - SHORTEST_PART + 1]])
        shifted = (raw[at + i].astype(np.uint64) << np.uint64(8 * i) for i in range(SHORTEST_PART))
        keys = np.bitwise_or.reduce(np.array(list(shifted)), axis=0)
        hits = at[np.isin(keys, self._keys)]
        return {text for place in hits.tolist() for text in self._starting(data, place)}

    def _starting(self, data: bytes, place: int) -> Iterator[str]:
        key = int.from_bytes(data[place : place + SHORTEST_PART], "little")
        return (text for form, text in self._forms.get(key, ()) if data.startswith(form, place))


def prove(folder: Path, originals: Iterable[str], keep: Iterable[str] = ()) -> Proof:
    """Search every file below `folder` for every original string.

    Strings of one or two characters and those of `words.csv` or `keep` are skipped. Strings of three to five
    characters match whole words of values and names; longer ones match anywhere, also in packed bytes and in
    EBCDIC.
    """
    wanted = set(originals) - words() - set(keep)
    needles = Needles(w for w in wanted if len(w) >= SHORTEST)
    paths = sorted(p for p in folder.rglob("*") if p.is_file())
    left: set[tuple[str, str]] = set()
    values = 0
    for path in paths:
        name = path.relative_to(folder).as_posix()
        data = path.read_bytes()
        texts = [name, *_texts(path)]
        values += len(texts)
        found = needles.in_bytes(data) | needles.in_bytes("\n".join(texts).encode())
        found = found.union(*map(needles.in_text, texts))
        left |= {(text, name) for text in found}
    size = sum(p.stat().st_size for p in paths)
    short = len(wanted) - len(needles.words)
    return Proof(len(needles.words), short, len(paths), size, values, tuple(sorted(left)))


def _texts(path: Path) -> Iterator[str]:
    """Every distinct text in a file, unpacked."""
    if path.suffix == ".parquet":
        return _parquet_texts(path)
    return _manifest_texts(path) if path.name == manifest.NAME else iter(())


def _parquet_texts(path: Path) -> Iterator[str]:
    with pq.ParquetFile(path) as file:
        metadata: dict[bytes, bytes] = file.schema_arrow.metadata or {}
        yield from (part.decode("utf-8", "replace") for pair in metadata.items() for part in pair)
        for field in file.schema_arrow:
            if pa.types.is_string(field.type) or pa.types.is_dictionary(field.type):
                yield from distinct(file, field.name)


def distinct(file: Any, column: str) -> list[str]:
    """The distinct texts in a column of an open Parquet file, without NULL."""
    found = pc.unique(file.read(columns=[column])[column])
    return [text for text in found.to_pylist() if text is not None]


def _manifest_texts(path: Path) -> Iterator[str]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as db:
        for (table,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall():
            for row in db.execute(f'SELECT * FROM "{table}"'):
                yield from (value for value in row if isinstance(value, str))
