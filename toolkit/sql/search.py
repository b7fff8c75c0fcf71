"""Names that fit a word: terms of the glossary, views by name and title, columns by name and meaning."""

from collections.abc import Iterable, Iterator, Sequence

from iosq.toolkit.show.glossary import Term, matching, pattern
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.dictionary import Entry

MOST = 8  # views, and columns, that are listed
_TABLES = 3  # that are named for a column


def search(word: str, known: Iterable[Entry]) -> tuple[str, tuple[Entry, ...]]:
    """A text with all that fits a word, empty if nothing does, and the columns in it."""
    found = pattern(word)
    tables = sorted(
        (v for v in views() if not v.is_part and found.search(f"{v.name.replace('_', ' ')} {v.title}")),
        key=lambda v: v.layer != "promised",
    )
    named = matching(word)
    held = {term.columns for term in named}
    parts = {v.name for v in views() if v.is_part}
    fits = (e for e in known if e.column in held or found.search(f"{e.column.replace('_', ' ')} {e.meaning}"))
    columns = _columns([e for e in fits if e.table not in parts])
    lines = [*_of_terms(named), *_of_views(tables), *_of_columns(columns)]
    return "\n".join(lines), tuple(entry for own in columns.values() for entry in own)


def _columns(entries: Sequence[Entry]) -> dict[str, list[Entry]]:
    """Columns by name: first of promised views, then of other views; raw fields only if no view has the name."""
    order = {"promised": 0, "derived": 1}
    derived = [e for e in entries if e.layer in order]
    made: dict[str, list[Entry]] = {}
    for entry in sorted(derived, key=lambda e: (e.table != "volume_interval", order[e.layer])) or entries:
        made.setdefault(entry.column, []).append(entry)
    return made


def _of_terms(found: Sequence[Term]) -> Iterator[str]:
    if found:
        yield "Terms"
    for term in found:
        yield f"  {term.named}: {term.meaning}{f' Column: {term.columns}.' if term.columns else ''}"


def _of_views(found: Sequence[View]) -> Iterator[str]:
    if found:
        yield "Views"
    yield from (f"  {view.name:28} {view.title}" for view in found[:MOST])
    yield from _rest(len(found))


def _of_columns(found: dict[str, list[Entry]]) -> Iterator[str]:
    if found:
        yield "Columns"
    for name, own in list(found.items())[:MOST]:
        unit = f" [{own[0].unit}]" if own[0].unit else ""
        yield f"  {name}{unit} in {listed([e.table for e in own], _TABLES)}: {own[0].meaning}"
    yield from _rest(len(found))


def _rest(count: int) -> Iterator[str]:
    if count > MOST:
        yield f"  and {count - MOST:,} more"
