"""Copies a lake with its names replaced, then proves that none is left."""

from __future__ import annotations

import re
import secrets
import shutil
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from iosq.parsers.api import Table
from iosq.parsers.registry import tables as registered
from iosq.toolkit.anonymize.columns import Kind, replaced
from iosq.toolkit.anonymize.proof import Proof, distinct, prove
from iosq.toolkit.anonymize.pseudonym import Pseudonyms
from iosq.toolkit.errors import LakeError, RequestError
from iosq.toolkit.lake import Lake, manifest
from iosq.toolkit.lake.part import FILE_ID, Part
from iosq.toolkit.lake.partition import Partition

KEY_BYTES = 32
NAMED = 20  # words left over that an error lists
LEAST_KEY_BYTES = 16
WITHHELD = "text withheld: it may name what was replaced"
_PLACE = re.compile(r"^([^/]+)/system=[^/]*/(day=[^/]*)/([0-9a-f]+)(-\d+\.parquet)$")
Texts = dict[Kind, set[str]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What was done: different texts replaced by kind, and the proof."""

    replaced: dict[str, int]
    proof: Proof


def anonymize(source: Lake, target: Path, key: bytes | None = None, keep: Iterable[str] = ()) -> Outcome:
    """Write a copy of a lake in which nothing names the site, its volumes, data sets, jobs or boxes.

    Args:
        target: a new or empty folder; removed again if the proof fails.
        key: the secret; a random one, not kept anywhere, if None.
        keep: words to leave as they are and not to look for.

    Raises:
        RequestError: the target is in use, the key is short, or a string is left over (names it).
        LakeError: a lake can't be read or written, or holds a table this iosq does not know.
    """
    kept = frozenset(keep)
    secret = _checked(key)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise RequestError("is not an empty folder", place=str(target), remedy="name a new one")
    parts, texts = source.parts(), _texts(source)
    names = Pseudonyms(secret, texts, kept)
    try:
        _write(source, target, parts, names)
        proof = prove(target, names.replaced | _paths(source), kept)
        _insist(proof)
    except BaseException:
        shutil.rmtree(target, ignore_errors=True)
        raise
    return Outcome({kind: len(found) for kind, found in sorted(texts.items())}, proof)


def _checked(key: bytes | None) -> bytes:
    if key is not None and len(key) < LEAST_KEY_BYTES:
        raise RequestError(f"the key has {len(key)} bytes", remedy=f"give {LEAST_KEY_BYTES} random bytes or more")
    return key or secrets.token_bytes(KEY_BYTES)


def _insist(proof: Proof) -> None:
    if proof.left:
        words = sorted({text for text, _ in proof.left})
        listed = ", ".join(map(repr, words[:NAMED])) + (f" and {len(words) - NAMED} more" if len(words) > NAMED else "")
        remedy = "nothing was kept; look at each of them: one that tells nothing can be allowed with --word"
        raise RequestError(f"left in {proof.left[0][1]} or other files: {listed}", remedy=remedy)


def _table(name: str) -> Table:
    known = registered().get(name)
    if known is None:
        raise LakeError(f"holds the table {name}, which this iosq does not know", remedy="use the one that wrote it")
    return known


def _texts(source: Lake) -> Texts:
    """Every different text of each kind in the lake."""
    found: Texts = {"system": set()}
    for name, paths in source.parts().items():
        columns = replaced(_table(name))
        for path in paths:
            with pq.ParquetFile(path) as file:
                for column in columns.keys() & set(file.schema_arrow.names):
                    found.setdefault(columns[column], set()).update(distinct(file, column))
    with manifest.reading(source.path) as db:
        found["system"] |= {s for (s,) in db.execute("SELECT DISTINCT system FROM part WHERE system IS NOT NULL")}
    return found


def _paths(source: Lake) -> set[str]:
    """What the manifest knows of the inputs: digests, ids, paths and file names."""
    with manifest.reading(source.path) as db:
        rows = db.execute("SELECT file_id, hash, path FROM file").fetchall()
    return {text for file_id, digest, path in rows for text in (file_id, digest, path, Path(path).name)}


def _write(source: Lake, target: Path, parts: dict[str, list[Path]], names: Pseudonyms) -> None:
    lake = Lake(target)
    lake.create()
    with manifest.reading(source.path) as old, manifest.writing(target) as new:
        ids = _file_ids(old, names)
        _copy_manifest(old, new, ids, names)
        for table in parts:
            for row in old.execute(
                'SELECT path, system FROM part WHERE "table" = ? ORDER BY path', (table,)
            ).fetchall():
                part = _copy_part(source.path / row[0], target, row, _table(table), ids, names)
                manifest.list_part(new, part.path.rpartition("/")[2].rpartition("-")[0], part)
    shutil.rmtree(target / ".staging", ignore_errors=True)


def _file_ids(db: sqlite3.Connection, names: Pseudonyms) -> dict[str, str]:
    """New file ids in the order of the old ones: listings that say the same twice are told apart by it."""
    old = sorted(file_id for (file_id,) in db.execute("SELECT file_id FROM file"))
    return dict(zip(old, sorted(names.digits(f"file {o}", 16) for o in old), strict=True))


def _copy_manifest(old: sqlite3.Connection, new: sqlite3.Connection, ids: dict[str, str], names: Pseudonyms) -> None:
    """Counts stay; digests, paths and messages would tell what the input was, or let somebody check a guess."""
    order = {path: n for n, (path,) in enumerate(old.execute("SELECT path FROM file ORDER BY path, file_id"), 1)}
    for row in _dicts(old, "file"):
        own = {"file_id": ids[row["file_id"]], "hash": names.digits(f"hash {row['hash']}", 32), "digests": 0}
        manifest.insert(new, "file", (row | own | {"path": f"input-{order[row['path']]:06d}"}).values())
    for row in _dicts(old, "file_kind"):
        manifest.insert(new, "file_kind", (row | {"file_id": ids[row["file_id"]]}).values())
    for row in _dicts(old, "issue"):
        manifest.insert(new, "issue", (row | {"file_id": ids[row["file_id"]], "message": WITHHELD}).values())


def _dicts(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    answer = db.execute(f"SELECT * FROM {table}")
    columns = [d[0] for d in answer.description]
    return [dict(zip(columns, row, strict=True)) for row in answer.fetchall()]


def _copy_part(
    path: Path, target: Path, row: tuple[str, str | None], table: Table, ids: dict[str, str], names: Pseudonyms
) -> Part:
    place, system = row
    found = _PLACE.match(place)
    if found is None:
        raise LakeError("is not a place iosq would give a file", place=place)
    renamed = names.maps["system"][system] if system is not None else None
    folder = Partition(renamed, None).folder.partition("/")[0]
    final = f"{found[1]}/{folder}/{found[2]}/{ids[found[3]]}{found[4]}"
    staged = target / final
    staged.parent.mkdir(parents=True, exist_ok=True)
    part = Part(table, Partition(renamed, None), staged, final)
    with pq.ParquetFile(path) as file:
        for group in range(file.num_row_groups):
            rows = _renamed(file.read_row_group(group).drop_columns([FILE_ID]), table, names)
            part.rows += rows.num_rows
            part.write(rows.to_batches(), ids[found[3]])
    part.close()
    return part


def _renamed(rows: Any, table: Table, names: Pseudonyms) -> Any:
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


def _set(rows: Any, column: str, values: Any) -> Any:
    return rows.set_column(rows.schema.get_field_index(column), column, values)
