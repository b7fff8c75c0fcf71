"""The meaning of a name: a view, a raw table, a column, a vendor field with or without its prefix, or a search."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from iosq.parsers.api import Table
from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.rows import grouped
from iosq.toolkit.show.glossary import Term, is_term, matching, pattern
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.catalog import View, views, with_ancestors
from iosq.toolkit.sql.dictionary import Entry, entries, lake_tables, raw_entries, view_entries

MOST = 8  # views, and columns, that are listed
_TABLES = 3  # that are named for a column
# prefix of the short name in a field: SMF74SSC, SMF73G4TUC, R745DRCR, R7451CT1, S42DSION
_PREFIX = re.compile(r"^(?:SMF\d\d|R7\d\d\d?|R74\d|S42|SMFNN)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Description:
    """The result of `describe`.

    `kind` is view, table, column, rule or search. For a view or table `entries` are its columns; for a column they are
    all columns of that name; for a search those that fit. `used_by` names the views that read it directly. `text` is
    the text of a rule, or of the matches of a search. `sql` is the query of a rule, else the statements of a view, one
    for each source.
    """

    name: str
    kind: str
    title: str
    grain: str
    entries: tuple[Entry, ...]
    used_by: tuple[str, ...]
    notes: tuple[str, ...]
    text: str = ""
    sql: str = ""


def _mentions(view: View, name: str) -> bool:
    word = re.compile(rf"\b{re.escape(name)}(?:_\w+)?\b", re.IGNORECASE)
    return any(word.search(s.sql) for s in view.sources if not s.checks)


def _used_by(names: Iterable[str], but: str = "") -> tuple[str, ...]:
    wanted = sorted(set(names))
    return _public([v for v in views() if v.name != but and any(_mentions(v, n) for n in wanted)])


def _public(found: Iterable[View]) -> tuple[str, ...]:
    """Names of views; in place of a part (its name begins with _) the views that are made of it."""
    names: dict[str, None] = {}
    for view in found:
        names |= dict.fromkeys(_readers(view.name) if view.is_part else [view.name])
    return tuple(names)


def _relation(name: str) -> Description | None:
    if name in lake_tables():
        title, columns = lake_tables()[name]
        return Description(name, "table", title, "", columns, (), ())
    view = next((v for v in views() if v.name == name), None)
    if not view:
        return None
    notes = (*view.notes, *(n for s in view.sources for n in s.notes))
    columns = tuple(view_entries(view))
    return Description(name, "view", view.title, view.grain, columns, _readers(name), notes, sql=_statements(view))


def _statements(view: View) -> str:
    """The statement of each source, and the views that they are made of, first those that read records."""
    made = [f"-- {view.name} from {source.name}\n{source.sql.strip()}" for source in view.sources]
    below = [v.name for v in with_ancestors(views(), [view.name]) if v != view]
    chain = f"-- made of {', '.join(below)}; iosq describe NAME --sql shows each" if below else ""
    return "\n\n".join(filter(None, [*made, chain]))


def _raw(name: str, tables: Iterable[Table]) -> Description | None:
    table = next((t for t in tables if t.name == name), None)
    if not table:
        return None
    columns = tuple(raw_entries(table))
    return Description(name, "table", table.title, "one row per section or report line", columns, _readers(name), ())


def _readers(name: str) -> tuple[str, ...]:
    return _public(v for v in views() if name in v.reads and v.name != name)


def _column(name: str, known: list[Entry]) -> Description | None:
    low = name.lower()
    exact = [e for e in known if e.column.lower() == low]
    entries = exact or [e for e in known if e.layer == "raw" and _PREFIX.sub("", e.column).lower() == low]
    if not entries:
        return None
    names = {e.column for e in entries}
    vendor = {e.column for e in entries if e.layer == "raw"}
    title = entries[0].meaning if len(names) == 1 else f"{len(names)} fields: {', '.join(sorted(names))}"
    return Description(", ".join(sorted(names)), "column", title, "", tuple(entries), _used_by(vendor or names), ())


def _is_only_a_term(name: str, found: Description) -> bool:
    """True if a name is a term of the glossary, and as a column only a field of some record."""
    return is_term(name) and all(entry.layer == "raw" for entry in found.entries)


def describe(name: str, tables: Iterable[Table]) -> Description:
    """Explain a view, a raw table, a column or a vendor field (`SMF74SSC`, `smf74ssc`, `SSC`); case does not matter.

    `view.column` picks one column. Other words are searched for in names, titles, meanings and the glossary. `tables`:
    every raw table there can be; not looked at for a view. RequestError, with the nearest names, if nothing fits.
    """
    table, _, column = name.strip().lower().partition(".")
    wanted = column or table
    if not column and (answer := _relation(table)):
        return answer
    known_tables = tuple(tables)
    if not column and (answer := _raw(table, known_tables)):
        return answer
    known = [e for e in entries(known_tables) if not column or e.table == table]
    if (answer := _column(wanted, known)) and not _is_only_a_term(wanted, answer):
        return answer
    text, columns = _search(wanted, known) if not column and len(wanted) > 1 else ("", ())
    if text:
        return Description(wanted, "search", "", "", columns, (), (), text)
    names = sorted({e.table for e in known} | {e.column for e in known})
    hint = nearest(wanted, names) or "lake_dictionary lists every column"
    raise RequestError(f"{name} is unknown", remedy=hint)


def _search(word: str, known: Iterable[Entry]) -> tuple[str, tuple[Entry, ...]]:
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
    first = sorted(derived, key=lambda e: (e.table != "volume_interval", order[e.layer]))
    return grouped(first or entries, lambda e: e.column)


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
