"""HTML elements that the panels share; names from a lake are always escaped."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from html import escape
from typing import cast

import marimo as mo

from iosq.toolkit.advise.cards import as_html
from iosq.toolkit.errors import IosqError
from iosq.toolkit.late import alt
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import human_number
from iosq.toolkit.show.theme import Drawing
from iosq.types import Finding

Selections = Mapping[str, Mapping[str, Sequence[float] | Sequence[int] | Sequence[str]]]


def text(words: str, tag: str = "p") -> mo.Html:
    """A sentence."""
    return mo.Html(f"<{tag}>{escape(words)}</{tag}>")


def stacked(*parts: object) -> mo.Html:
    """Parts of a panel, one below the other."""
    return mo.vstack(list(parts))


def sentences(lines: Sequence[str]) -> mo.Html:
    """A list of sentences."""
    return mo.Html('<ul class="sentences">' + "".join(f"<li>{escape(line)}</li>" for line in lines) + "</ul>")


def same(*commands: str, sql: str = "") -> mo.Html:
    """The commands, and the SQL, that give the same result without the app."""
    parts = [*commands, *([sql] if sql else [])]
    blocks = "".join(f"<pre>{escape(part)}</pre>" for part in parts)
    return mo.Html(f'<details class="same"><summary>The same as a command</summary>{blocks}</details>')


def table(rows: Sequence[Row], page_size: int, *, single: bool = False, wrapped: Sequence[str] = ()) -> mo.ui.table:
    """Rows as a table of text cells; `single`: one row can be chosen; `wrapped`: columns of long texts."""
    numbers = {name for row in rows for name, value in row.items() if isinstance(value, float)}
    gaps = {name for row in rows for name, value in row.items() if value is None} - numbers
    return mo.ui.table(
        [dict(row) for row in rows],
        format_mapping={**dict.fromkeys(numbers, _number), **dict.fromkeys(gaps, _known)},
        text_justify_columns=dict.fromkeys(numbers, "right"),
        page_size=page_size,
        selection="single" if single else None,
        wrapped_columns=list(wrapped),
        show_download=False,
        show_column_summaries=False,
        show_data_types=False,
    )


def _number(value: float | None) -> str:
    return "" if value is None else human_number(value)


def _known(value: object) -> object:
    return "" if value is None else value


def chosen(choice: mo.ui.table, name: str) -> str:
    """A column of the chosen row; empty if none is chosen."""
    rows = cast("list[Row]", choice.value)
    return str(rows[0].get(name) or "") if rows else ""


def brushed(drawn: Drawing, on_brush: Callable[[Selections], None]) -> mo.ui.altair_chart:
    """A chart with a brush; `on_brush` gets its selections."""
    chart = mo.ui.altair_chart(
        drawn, chart_selection=False, legend_selection=False, on_change=lambda _: on_brush(chart.selections)
    )
    return chart


def drawing(drawn: Drawing, above: Sequence[str] = ()) -> mo.Html:
    """A full-width chart below its title and notes, except notes in `above`; a string is shown as a sentence."""
    if isinstance(drawn, str):
        return text(drawn)
    lines = [
        text(drawn.usermeta["title"], "h3"),
        text("\n".join(note for note in drawn.usermeta["notes"] if note not in above)),
    ]
    drawn = drawn.copy()
    drawn.title = alt.Undefined
    charts = (mo.ui.altair_chart(part, chart_selection=False, legend_selection=False) for part in _panels(drawn))
    return mo.vstack([*lines, *charts])


def _panels(drawn: Drawing) -> Iterator[Drawing]:
    """A full-width chart; a vertical concatenation, which can't resize, becomes separate charts."""
    if not isinstance(drawn, alt.VConcatChart):
        drawn.config["legend"]["columns"] = 1  # fits a phone
        yield drawn.properties(width="container") if isinstance(drawn, alt.Chart | alt.LayerChart) else drawn
        return
    for part in drawn.vconcat:
        part["config"], part["datasets"] = drawn.config, drawn.datasets
        yield from _panels(part)


def keep_local() -> None:
    """Let users save charts, without a link to the Vega editor, which is an external page."""
    alt.renderers.set_embed_options(actions={"export": True, "source": False, "editor": False, "compiled": False})


def cards(found: Sequence[Finding], heading: str = "") -> mo.Html:
    """Findings as cards."""
    return mo.Html(f'<div class="findings">{as_html(found, heading)}</div>')


@contextmanager
def failing() -> Iterator[None]:
    """Show an error of the block as a message, and stop the cell."""
    try:
        yield
    except IosqError as error:
        mo.stop(True, mo.callout(text(str(error)), kind="danger"))
