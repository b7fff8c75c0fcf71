"""Views by subject, those of `groups.csv` first, and the reference page of all views, made from their headers."""

from collections.abc import Iterator

from iosq.toolkit.rows import csv_rows
from iosq.toolkit.sql.catalog import View, views
from iosq.toolkit.sql.dictionary import Entry, view_entries

REST = "Intermediate views (may change)"
_INTRO = """# Views

Every view of the lake, made from the headers of the view files. A *promised* view keeps its names, units and
meanings; a *derived* one may change. Instants are UTC. A value is NULL, never 0, where a flag of the record voids it,
where the record is too short to hold the field, or where a divisor is 0.
The choice of formulas, and differences to RMF's prints, are in [formulas](../explanation/formulas.md).
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _row(entry: Entry) -> str:
    trust = f" ({entry.confidence})" if entry.confidence else ""
    formula = f"{entry.formula}{trust}" if entry.formula else ""
    cells = (f"`{entry.column}`", entry.type, entry.unit, entry.meaning, formula)
    return f"| {' | '.join(_cell(c) for c in cells)} |"


def _section(view: View) -> Iterator[str]:
    fed = list(dict.fromkeys(s.name for s in view.sources if s.name))
    yield f"## {view.name}\n"
    yield f"{view.title}. {view.grain[0].upper()}{view.grain[1:]}. Layer: {view.layer}.\n"
    if fed:
        yield f"Fed by {', '.join(f'`{s}`' for s in fed)}.\n"
    yield "| column | type | unit | meaning | formula (confidence) |\n|---|---|---|---|---|"
    yield from (_row(e) for e in view_entries(view))
    notes = [*view.notes, *(f"{s.name}: {n}" for s in view.sources for n in s.notes)]
    yield "".join(f"\n- {n}" for n in notes) + "\n" if notes else ""


def markdown() -> str:
    """Text of `docs/reference/views.md`: promised views first, then derived ones, each by name."""
    order = sorted(views(), key=lambda v: (v.layer != "promised", v.name))
    return _INTRO + "\n" + "\n".join(line for v in order for line in _section(v)).rstrip() + "\n"


def view_groups() -> dict[str, dict[str, str]]:
    """Views by subject, the most important first: title by name. Views of the last group may change."""
    titles = {view.name: view.title for view in views() if not view.is_part}
    made: dict[str, dict[str, str]] = {}
    for row in csv_rows("iosq.toolkit.sql", "groups.csv"):
        made.setdefault(row["group"], {})[row["view"]] = titles.pop(row["view"])
    return made | {REST: dict(sorted(titles.items()))}
