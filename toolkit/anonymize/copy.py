"""Copy a lake with its names replaced, and verify that no name remains."""

import datetime as dt
import os
import re
import secrets
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from iosq.parsers.api import Table
from iosq.parsers.registry import tables as registered
from iosq.toolkit.anonymize.columns import Kind, replaced
from iosq.toolkit.anonymize.manner import Manner
from iosq.toolkit.anonymize.proof import Proof, distinct, prove
from iosq.toolkit.anonymize.pseudonym import Pseudonyms
from iosq.toolkit.errors import DOCTOR, LakeError, RequestError
from iosq.toolkit.lake import manifest
from iosq.toolkit.lake.disk import lake_errors, parquet_errors
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.part import FILE_ID, Part
from iosq.toolkit.lake.partition import Partition
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show import stages

KEY_BYTES = 32
NAMED = 20  # maximum number of remaining words to list in an error
LEAST_KEY_BYTES = 16
WITHHELD = "text withheld: it may name what was replaced"
_PLACE = re.compile(r"^([^/]+)/system=[^/]*/(day=[^/]*)/([0-9a-f]+)(-\d+\.parquet)$")
_PARTS = 'SELECT path, system, "table", sum(rows) FROM part GROUP BY path ORDER BY "table", path'
# texts that belong to the manifest's format
_OWN_WORDS = """
SELECT kind FROM file UNION SELECT packaging FROM file UNION SELECT kind FROM file_kind UNION SELECT code FROM issue
UNION SELECT severity FROM issue UNION SELECT key FROM meta UNION SELECT value FROM meta UNION SELECT "table" FROM part
"""
WORDS = re.compile(r"[^A-Za-z0-9@#$]+")
TURNS = 3
Texts = dict[Kind, set[str]]


@dataclass(frozen=True, slots=True)
class Dropped:
    """Data missing from the copy because it could not be classified: withheld values, and rows of dropped files."""

    values: int = 0
    rows: int = 0


@dataclass(frozen=True, slots=True)
class Outcome:
    """Result: replaced texts by kind, data missing from the copy, and the proof.

    `common`: number of replaced originals that were not searched for, because they are words of the lake's format.
    """

    replaced: dict[str, int]
    proof: Proof
    dropped: Dropped = Dropped()
    common: int = 0


def anonymize(
    source: Lake,
    target: Path,
    key: bytes | None = None,
    keep: Iterable[str] = (),
    *,
    weeks: int = 0,
    coarse: bool = False,
) -> Outcome:
    """Write a copy of a lake without names of the site; arguments as of `iosq.anonymize`.

    Values that still contain a name after replacement (damaged records have text in any field) are withheld, and files
    where that is not enough are left out, so that the copy passes verification. Then it is moved to `target`.

    Raises:
        RequestError: the target is in use, the key is too short, or a name remains (lists it).
        LakeError: a lake can't be read or written.
    """
    secret, manner = _checked(key), Manner(weeks, coarse)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RequestError("is not an empty folder", place=str(target), remedy="name a new one")
    stages.progress("names")
    texts, layout = _texts(source), _layout(source)
    kept = frozenset(keep)
    names = Pseudonyms(secret, texts, kept)
    wanted = names.replaced | _paths(source)
    with _placed(target) as part:
        dropped, proof = _proven(source, part, names, manner, (wanted, kept | layout))
    counts: dict[str, int] = {kind: len(found) for kind, found in sorted(texts.items())}
    return Outcome(counts, proof, dropped, len(wanted & layout - kept))


@contextmanager
def _placed(target: Path) -> Iterator[Path]:
    """A folder next to the target, renamed to the target at the end, so that a kill never leaves a partial lake."""
    whole = target.resolve()
    part = whole.with_name(f".{whole.name}.{os.getpid()}.part")
    with lake_errors(target):
        part.mkdir(parents=True)
    try:
        yield part
        with lake_errors(target):
            if whole.is_dir():
                whole.rmdir()
            part.rename(whole)
    finally:
        shutil.rmtree(part, ignore_errors=True)


def _proven(
    source: Lake, target: Path, names: Pseudonyms, manner: Manner, looked_for: tuple[frozenset[str], frozenset[str]]
) -> tuple[Dropped, Proof]:
    """Write a copy without remaining names, in several attempts: withhold values with names first, and files next."""
    left_out: set[str] = set()
    for turn in range(TURNS):
        dropped = _Copy(source, target, names, manner, frozenset(left_out)).write()
        stages.progress("proof")
        proof = prove(target, *looked_for)
        if not proof.left:
            break
        manner = replace(manner, spoilt=manner.spoilt | {text for text, _ in proof.left})
        left_out |= {place for _, place in proof.left} if turn else set()
        if turn < TURNS - 1:
            shutil.rmtree(target, ignore_errors=True)
    _insist(proof)
    return dropped, proof


def _layout(source: Lake) -> frozenset[str]:
    """Words of the lake's format, which identify no site: folders of tables and days, columns, kinds and codes."""
    with manifest.reading(source.path) as db:
        texts = {text for (text,) in db.execute(_OWN_WORDS) if text}
        texts |= {re.sub(r"system=[^/]*/", "", path) for (path,) in db.execute("SELECT path FROM part")}
    texts |= {column.name for name in source.parts() if name in registered() for column in registered()[name].columns}
    return frozenset(texts | {word for text in texts for word in WORDS.split(text)} - {""})


def _checked(key: bytes | None) -> bytes:
    if key is not None and len(key) < LEAST_KEY_BYTES:
        raise RequestError(f"the key has {len(key)} bytes", remedy=f"give {LEAST_KEY_BYTES} random bytes or more")
    return key or secrets.token_bytes(KEY_BYTES)


def _insist(proof: Proof) -> None:
    if proof.left:
        words = sorted({text for text, _ in proof.left})
        listed = ", ".join(map(repr, words[:NAMED])) + (f" and {len(words) - NAMED} more" if len(words) > NAMED else "")
        remedy = "nothing was written; look at each word: allow one that identifies no site with --word"
        raise RequestError(f"left in {proof.left[0][1]} or other files: {listed}", remedy=remedy)


def _texts(source: Lake) -> Texts:
    found: Texts = {"system": set()}
    for name, paths in source.parts().items():
        if name not in registered():
            continue
        columns = replaced(registered()[name])
        for path in paths:
            with parquet_errors(path), pq.ParquetFile(path) as file:
                for column in columns.keys() & set(file.schema_arrow.names):
                    found.setdefault(columns[column], set()).update(distinct(file, column))
    with manifest.reading(source.path) as db:
        found["system"] |= {s for (s,) in db.execute("SELECT DISTINCT system FROM part WHERE system IS NOT NULL")}
    return found


def _paths(source: Lake) -> set[str]:
    """Identifiers of the inputs in the manifest: digests, ids, paths and file names."""
    with manifest.reading(source.path) as db:
        rows = db.execute("SELECT file_id, hash, path FROM file").fetchall()
    return {text for file_id, digest, path in rows for text in (file_id, digest, path, Path(path).name)}


class _Copy:
    def __init__(self, source: Lake, target: Path, names: Pseudonyms, manner: Manner, left_out: frozenset[str]) -> None:
        self._source, self._target, self._names = source, target, names
        self._manner, self._left_out = manner, left_out
        self._values = self._rows = 0

    def write(self) -> Dropped:
        """Write the copy; returns the data missing from it."""
        lake = Lake(self._target)
        lake.create()
        with manifest.reading(self._source.path) as old, manifest.writing(self._target) as new:
            ids = _file_ids(old, self._names)
            _copy_manifest(old, new, ids, self._names)
            for row in stages.each("copy", old.execute(_PARTS).fetchall()):
                self._part(row, ids, new)
        shutil.rmtree(self._target / ".staging", ignore_errors=True)
        return Dropped(self._values, self._rows)

    def _part(self, row: tuple[str, str | None, str, int], ids: dict[str, str], new: sqlite3.Connection) -> None:
        path, system, name, rows = row
        table = registered().get(name)
        final = self._place(path, system, ids)
        if table is None or final in self._left_out:  # also a table of a later version, whose names are unknown
            self._rows += rows
            return
        renamed = None if system is None else self._names.maps["system"][system]
        part = Part(table, Partition(renamed, None), self._target / final, final)
        part.staged.parent.mkdir(parents=True, exist_ok=True)
        try:
            held = self._fill(part, self._source.path / path, ids)
        except (KeyError, pa.ArrowException) as error:  # an input or column that the manifest lacks
            raise LakeError("its rows differ from those that the lake lists", place=path, remedy=DOCTOR) from error
        manifest.list_part(new, held, part)

    def _place(self, path: str, system: str | None, ids: dict[str, str]) -> str:
        found = _PLACE.match(path)
        if found is None:
            raise LakeError("is not a file name that iosq writes", place=path)
        renamed = None if system is None else self._names.maps["system"][system]
        folder = Partition(renamed, None).folder.partition("/")[0]
        begin = ids.get(found[3]) or self._names.digits(f"file {found[3]}", 16)  # several inputs: another id
        return f"{found[1]}/{folder}/{self._day(found[2])}/{begin}{found[4]}"

    def _day(self, folder: str) -> str:
        head, _, day = folder.partition("=")
        if not self._manner.weeks or day == "_none":
            return folder
        return f"{head}={(dt.date.fromisoformat(day) + self._manner.shift).isoformat()}"

    def _fill(self, part: Part, path: Path, ids: dict[str, str]) -> dict[str, int]:
        """Write a file; returns its number of rows by input."""
        held: Counter[str] = Counter()
        for rows in _groups(path):
            coded = rows[FILE_ID].combine_chunks().dictionary_encode()
            own = pa.array([ids[i] for i in coded.dictionary.to_pylist()]).take(coded.indices)
            rows = _renamed(rows.drop_columns([FILE_ID]), part.table, self._names)
            rows, withheld = self._manner.applied(rows, part.table, self._names.device)
            self._values += withheld
            part.rows += rows.num_rows
            part.write(rows.add_column(0, FILE_ID, own).to_batches(), None)
            held.update({v["values"]: v["counts"] for v in own.value_counts().to_pylist()})
        part.close()
        return dict(held)


def _groups(path: Path) -> Iterator[pa.Table]:
    with parquet_errors(path):
        file = pq.ParquetFile(path)
    with file:
        for group in range(file.num_row_groups):
            with parquet_errors(path):
                rows = file.read_row_group(group)
            yield rows


def _file_ids(db: sqlite3.Connection, names: Pseudonyms) -> dict[str, str]:
    """New file ids by old ones, in the same order, which decides between duplicate listings."""
    old = sorted(file_id for (file_id,) in db.execute("SELECT file_id FROM file"))
    return dict(zip(old, sorted(names.digits(f"file {o}", 16) for o in old), strict=True))


def _copy_manifest(old: sqlite3.Connection, new: sqlite3.Connection, ids: dict[str, str], names: Pseudonyms) -> None:
    """Copy the manifest with its counts, but without digests, paths and messages, which could identify an input."""
    order = {path: n for n, (path,) in enumerate(old.execute("SELECT path FROM file ORDER BY path, file_id"), 1)}
    for row in _dicts(old, "file"):
        own = {"file_id": ids[row["file_id"]], "hash": names.digits(f"hash {row['hash']}", 32), "digests": 0}
        manifest.insert(new, "file", (row | own | {"path": f"input-{order[row['path']]:06d}"}).values())
    for row in _dicts(old, "file_kind"):
        manifest.insert(new, "file_kind", (row | {"file_id": ids[row["file_id"]]}).values())
    for row in _dicts(old, "issue"):
        manifest.insert(new, "issue", (row | {"file_id": ids[row["file_id"]], "message": WITHHELD}).values())


def _dicts(db: sqlite3.Connection, table: str) -> list[NewRow]:
    answer = db.execute(f"SELECT * FROM {table}")
    columns = [d[0] for d in answer.description]
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


def _renamed(rows: pa.Table, table: Table, names: Pseudonyms) -> pa.Table:
    """The rows with pseudonyms for names and new numbers for record ids."""
    for column, kind in replaced(table).items():
        coded = rows[column].combine_chunks().dictionary_encode()
        texts = pa.array([names.maps[kind][t] for t in coded.dictionary.to_pylist()], pa.string())
        rows = _set(rows, column, texts.take(coded.indices))
    if "record_id" in rows.schema.names:
        coded = rows["record_id"].combine_chunks().dictionary_encode()
        new = pa.array([names.number(v) for v in coded.dictionary.to_pylist()], pa.int64())
        rows = _set(rows, "record_id", new.take(coded.indices))
    return rows


def _set(rows: pa.Table, column: str, values: pa.Array) -> pa.Table:
    return rows.set_column(rows.schema.get_field_index(column), column, values)
