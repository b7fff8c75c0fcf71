"""Charts: each has a description in a TOML file of `charts`, and a module of the same name that draws it.

Most charts draw the rows of the query in the SQL file of the same name (`iosq.toolkit.sql.questions`). A chart of
findings has `from_findings` instead.
"""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise import run as find
from iosq.toolkit.errors import RequestError, nearest
from iosq.toolkit.late import alt
from iosq.toolkit.report import charts as folder
from iosq.toolkit.report import quality
from iosq.toolkit.report.response_parts import with_week
from iosq.toolkit.report.table import Columns
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show import records, stages
from iosq.toolkit.show.clock import worded
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.show.terms import in_cp_terms
from iosq.toolkit.show.theme import Drawing, finished
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.guard import query
from iosq.toolkit.sql.questions import load
from iosq.toolkit.toml import read_toml

# pixels
WIDTH = 960
Rows = Sequence[Row]
# the column with the name of a volume, along with its system if the lake has several
LABEL = "label"
Advise = Callable[[], Sequence[Finding]]


@dataclass(frozen=True, slots=True)
class Chart:
    """One chart: the source of its rows, and pure functions of them for title and drawing.

    Rows come from `sql`, read from the chart's file, or from the findings through `from_findings`.
    `number` orders charts on the page. `title` states the result in numbers; `about` explains how to read the chart.
    `missing` is the sentence shown if there are no rows; for `zvm` see `quality.absent`. The chart as a table, for
    readers who can't see it: `summary` gives the rows, `columns` heading and decimals. A click on the mark of a row
    with a `page` opens that page. `is_weekly`: rows include the response a week before.
    """

    number: int
    name: str
    about: str
    missing: str
    title: Callable[[Rows], str]
    draw: Callable[[Rows], Drawing]
    columns: Columns
    summary: Callable[[Rows], Rows]
    sql: str
    from_findings: Callable[[Sequence[Finding]], list[NewRow]] | None
    zvm: str | None
    is_weekly: bool


@cache
def charts() -> tuple[Chart, ...]:
    """Every chart, in order of `number`."""
    found = (file for file in files(folder).iterdir() if file.name.endswith(".toml"))
    return tuple(sorted(map(_chart, found), key=lambda c: (c.number, c.name)))


def _chart(file: Traversable) -> Chart:
    """The chart of a TOML file, with the functions of its module and the query of its SQL file."""
    name, row = file.name.removesuffix(".toml"), read_toml(file.read_text("utf-8"), file.name)
    module = importlib.import_module(f"{folder.__name__}.{name}")
    from_findings, zvm = getattr(module, "from_findings", None), row.get("zvm")
    return Chart(
        row["number"],
        name,
        row["about"],
        row["missing"],
        module.title,
        module.draw,
        {column: (heading, next(iter(decimals), None)) for column, heading, *decimals in row.get("columns", ())},
        getattr(module, "summary", list),
        "" if from_findings else load(folder.__name__, f"{name}.sql").sql,
        from_findings,
        None if zvm is None else zvm.format_map(vars(records)),
        row.get("weekly", False),
    )


def rows_of(
    con: Connection, chart: Chart, advise: Advise | None = None, before: Connection | None = None
) -> list[NewRow]:
    """The rows of a chart, with numbers rounded to its resolution; `before`: the lake of the week before."""
    find_them = advise or (lambda: find(con))
    rows = chart.from_findings(find_them()) if chart.from_findings else query(con, chart.sql).to_pylist()
    if chart.is_weekly:
        rows = with_week(rows, rows if before in (None, con) else query(before or con, chart.sql).to_pylist())
    return [{k: rounded(v) for k, v in row.items()} for row in rows]


def named(name: str) -> Chart:
    """The chart of that name; RequestError if there is none."""
    if chart := next((c for c in charts() if c.name == name), None):
        return chart
    known = [c.name for c in charts()]
    raise RequestError(f"no chart {name}", remedy=nearest(name, known) or f"known are {', '.join(known)}")


def asked(name: str) -> str:
    """SQL that names the views read by `render`; errors as of `named`."""
    return " ".join([named(name).sql, quality.SYSTEMS.sql, *quality.NEEDED])


def render(
    name: str, con: Connection, advise: Advise | None = None, *, utc: bool = False, narrowed: str = ""
) -> Drawing:
    """A chart by name, for `iosq.toolkit.show.picture.save`; RequestError if there is none, or no data for it.

    The title states the result; the subtitle gives systems, span, filter, and how to read the chart. `advise` computes
    the findings for a chart of findings; by default the rules read `con`. `utc`: local times of `con` are UTC, and are
    labelled so. `narrowed`: the filter of `con` in words.
    """
    chart = named(name)
    stages.progress("question")
    if drawing := drawn(con, chart, quality.heading(con, narrowed, utc), advise=advise, utc=utc):
        stages.progress("picture")
        return drawing
    reason = quality.absent(chart, zvm=quality.only_zvm(con), part=bool(narrowed)) or quality.NEVER
    raise RequestError(f"chart {name} has nothing to show: {reason}")


def drawn(
    con: Connection, chart: Chart, scope: str = "", *, advise: Advise | None = None, utc: bool = False
) -> Drawing:
    """The chart with title, scope and explanation; None if the lake has no data for it."""
    rows = rows_of(con, chart, advise)
    if not rows:
        return None
    zvm = quality.only_zvm(con)
    drawing = finished(wide(chart.draw(rows)), chart.title(rows), scope, chart.about, width=WIDTH)
    if not (utc or zvm):
        return drawing
    spec = drawing.to_json()
    return type(drawing).from_json(worded(in_cp_terms(spec) if zvm else spec, utc))


def wide(drawing: Drawing) -> Drawing:
    """The drawing, or each part of a vertical concatenation, at the width of a report."""
    if isinstance(drawing, alt.VConcatChart):
        drawing.vconcat = [wide(part) for part in drawing.vconcat]
        return drawing
    return drawing.properties(width=WIDTH)
