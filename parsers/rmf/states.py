"""Checks words for states and kinds: report files list the known ones, in capitals; others are issues."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

import pyarrow as pa
import pyarrow.compute as pc

from iosq.parsers.api import Batch, Issue
from iosq.parsers.rmf.knowledge import Field, reports

LONGEST = 60  # characters quoted of a word
MOST = 1000  # most words reported; damage may produce any number


def stated(items: Iterable[Batch | Issue]) -> Iterator[Batch | Issue]:
    """Pass on a reader's output; drop unknown words unless their column keeps them, with an issue for each."""
    found: dict[tuple[str, str, str], Issue] = {}
    for item in items:
        yield _checked(item, found) if isinstance(item, Batch) else item
    yield from found.values()


@cache
def _fields_by_table() -> dict[str, tuple[Field, ...]]:
    sections = [s for r in reports() for s in r.sections]
    return {s.table.name: found for s in sections if (found := tuple(f for f in s.fields if f.words))}


def _checked(batch: Batch, found: dict[tuple[str, str, str], Issue]) -> Batch:
    rows = batch.rows
    for field in _fields_by_table().get(batch.table, ()):
        column = rows.column(field.name)
        other = pc.and_(column.is_valid(), pc.invert(pc.is_in(column, pa.array(sorted(field.words)))))
        if not pc.any(other).as_py():
            continue
        _report(batch.table, field, rows.filter(other), found)
        if not field.kept:
            kept = pc.if_else(other, pa.scalar(None, column.type), column)
            rows = rows.set_column(rows.schema.get_field_index(field.name), rows.schema.field(field.name), kept)
    return replace(batch, rows=rows)


def _report(table: str, field: Field, rows: pa.RecordBatch, found: dict[tuple[str, str, str], Issue]) -> None:
    """One issue for each word, with its first line and count."""
    for word, line in zip(rows.column(field.name).to_pylist(), rows.column("line").to_pylist(), strict=True):
        key = table, field.name, word[:LONGEST]
        if known := found.get(key):
            found[key] = replace(known, count=known.count + 1)
        elif len(found) < MOST:
            what = "kept as it is" if field.kept else "left out, the state is unknown"
            text = f"{table}: word not known in {field.name}: {key[2]}: {what}"
            found[key] = Issue("unknown_word", "notice" if field.kept else "data_loss", text, line or 0)
