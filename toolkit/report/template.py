"""Chart specifications without rows, which many places of the page share, each with its own rows.

A template has a Vega-Lite specification (`spec`) that reads the dataset `rows`, whose rows have `columns`. A string
`@name` in it is a placeholder for a value that comes with the rows. Times are minutes. Zoom and slider are Vega's own.
"""

import datetime as dt
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

from iosq.toolkit.late import alt
from iosq.toolkit.report.charts.predicted_effect import panel
from iosq.toolkit.report.effect import COLUMNS
from iosq.toolkit.report.response_parts import KNOWN, part_colour
from iosq.toolkit.report.timeline import axis, closed, moment, week_line
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.numbers import rounded
from iosq.toolkit.show.theme import HIGHLIGHTS, INK, PAPER, PARTS, Drawing, themed

# significant digits: finer than a picture can show, and every digit is repeated thousands of times
DIGITS = 4
# width follows the page, height follows the rows
GROWS = {"type": "fit-x", "contains": "padding"}
SERIES = ("t", *PARTS, "rate", "queue", "week_ms", "week_rate")
_FIELDS = (*KNOWN, *SERIES[1 + len(PARTS) :])
# width of all y axes, so that stacked panels share one time axis
_EXTENT = 46
_EPOCH = dt.datetime(1970, 1, 1)
_ZOOM = "zoom"
# without Ctrl the wheel scrolls the page
_SELECT = {"type": "interval", "encodings": ["x"], "zoom": "wheel![event.ctrlKey]"}
HINT = (
    "In charts over time, Ctrl and the mouse wheel zoom, a drag moves the span, a double click shows all of it; "
    "the others follow."
)
_INPUT = {"input": "range", "min": "@first", "max": "@last", "step": 1, "name": "Try a number of aliases: "}
_TEXT = (
    "(isValid(datum.ms) ? format(datum.ms, '.2f') + ' ms (' : '(') + format(datum.low, '.2f') + ' to ' + "
    "(isValid(datum.limit) ? datum.limit : format(datum.high, '.2f')) + (isValid(datum.ms) ? ')' : ') ms')"
)
# the curve may lack the chosen count: the next lower one is shown
_CHOSEN = (
    {"filter": "datum.count <= count"},
    {"joinaggregate": [{"op": "max", "field": "count", "as": "chosen"}]},
    {"filter": "datum.count === datum.chosen"},
    {"calculate": "isValid(datum.ms) ? datum.ms : datum.low", "as": "at"},
    {"calculate": _TEXT, "as": "words"},
)


@cache
def effect() -> NewRow:
    """The effect of more aliases, with a slider over their counts; see `effect.points`."""
    return _template(COLUMNS, panel(_rows(), "@counted"), _with_slider)


def over_time(rows: Sequence[Row]) -> dict[str, NewRow]:
    """Parts of the response, rate and queue over local time; `rows` have all steps of the lake, `t` and `step_s`."""
    below, of_step = axis(rows), moment(rows)
    # only the last of the stacked panels has a time axis
    x = {**below, "title": None}
    drawn = {
        "parts": _with_peak(alt.layer(_parts(x, of_step), week_line(alt.Chart(_rows()), "week_ms"))),
        "rate": alt.layer(
            _line(x, of_step, "rate", "I/Os per s", HIGHLIGHTS[2]), week_line(alt.Chart(_rows()), "week_rate")
        ).properties(height=80),
        "queue": _with_one(_line(below, of_step, "queue", "I/Os queued", INK)),
    }
    return {name: _template(SERIES, drawing, zoomable) for name, drawing in drawn.items()}


def compact(rows: Sequence[Row], start: dt.datetime) -> list[list[Any]]:
    """Rows of one subject, in order of time, as lists in order of `SERIES`; `t` in minutes after `start`.

    A row has `t`, `step_s`, the parts, `rate`, `queue`, and response and rate of the week before.
    """
    minute, read = dt.timedelta(minutes=1), dt.datetime.fromisoformat
    return [[int((read(r["t"]) - start) / minute), *(short(r[name]) for name in _FIELDS)] for r in closed(rows)]


def short(value: Any) -> Any:
    """A number rounded to DIGITS; integers without a fraction."""
    value = rounded(value, DIGITS)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def epoch_ms(instant: dt.datetime) -> int:
    """A local instant in ms since 1970, as if it were UTC."""
    return int((instant - _EPOCH) / dt.timedelta(milliseconds=1))


def _template(columns: Sequence[str], drawing: Drawing, finish: Callable[[NewRow], NewRow]) -> NewRow:
    spec = themed(drawing).properties(width="container", autosize=GROWS).to_dict(format="vega-lite")
    return {"columns": columns, "spec": finish(spec)}


def _rows() -> Any:
    return alt.NamedData("rows")


def _parts(x: Row, of_step: "alt.Tooltip") -> Drawing:
    names: list[Any] = list(PARTS)
    return (
        alt.Chart(_rows())
        .transform_fold(names, as_=["part", "ms"])
        .transform_calculate(place=f"indexof({names}, datum.part)")
        .mark_area(interpolate="step-after", stroke=PAPER, strokeWidth=0.5)
        .encode(
            x=alt.X("t:T", **x),
            y=alt.Y("ms:Q", title="ms per I/O", stack="zero", axis=alt.Axis(minExtent=_EXTENT, tickCount=5)),
            color=part_colour(),
            order=alt.Order("place:Q"),
            tooltip=[of_step, "part:N", alt.Tooltip("ms:Q", format=".3~g", title="ms per I/O")],
        )
    )


def _with_peak(drawing: Drawing) -> Drawing:
    """The drawing with a mark at the interval of most lost time, which the mean of a step may hide."""
    # placeholders that are expressions
    once = alt.Chart(_rows()).transform_aggregate(rows="count()").transform_calculate(t="@peak", most="@peak_ms")
    mark = once.mark_point(shape="diamond", filled=True, size=70, opacity=1, color=INK, stroke=PAPER).encode(
        x="t:T", y="most:Q"
    )
    # without room above it the mark would be clipped
    room = once.transform_calculate(room="1.06 * datum.most").mark_point(opacity=0).encode(x="t:T", y="room:Q")
    return alt.layer(drawing, room, mark).properties(height=170)


def _line(x: Row, of_step: "alt.Tooltip", name: str, title: str, colour: str) -> Drawing:
    y = alt.Y(f"{name}:Q", title=title, axis=alt.Axis(minExtent=_EXTENT, tickCount=4, titleLimit=90))
    return (
        alt.Chart(_rows())
        .mark_line(interpolate="step-after", strokeWidth=2, color=colour, invalid="break-paths-show-domains")
        .encode(x=alt.X("t:T", **x), y=y, tooltip=[of_step, alt.Tooltip(f"{name}:Q", format=",.3~g", title=title)])
        .properties(height=80)
    )


def _with_one(drawing: Drawing) -> Drawing:
    """The drawing with an axis up to at least 1, so that a tiny queue looks tiny."""
    unseen = alt.Chart(_rows()).mark_rule(opacity=0).encode(y=alt.YDatum(1))
    return alt.layer(drawing, unseen).properties(height=80)


def _with_slider(spec: NewRow) -> NewRow:
    """The template of an alias curve with a slider; the words `first`, `last` and `chosen` come with the rows."""
    params = [{"name": "count", "value": "@chosen", "bind": _INPUT}, {"name": "middle", "value": "@middle"}]
    right = "datum.count > middle"
    label = {
        "type": "text", "dy": -9, "fontWeight": 600, "align": {"expr": f"{right} ? 'right' : 'left'"},
        "dx": {"expr": f"{right} ? -8 : 8"},
    }  # fmt: skip
    marks = (
        _layer({"type": "point", "filled": True, "size": 110, "color": INK, "opacity": 1}),
        _layer({**label, "stroke": PAPER, "strokeWidth": 4}, text={"field": "words", "type": "nominal"}),
        _layer(label, text={"field": "words", "type": "nominal"}),
    )
    return {**spec, "params": params, "layer": [*spec["layer"], *marks]}


def _layer(mark: NewRow, **channels: NewRow) -> NewRow:
    x, y = ({"field": name, "type": "quantitative"} for name in ("count", "at"))
    return {"data": {"name": "rows"}, "transform": _CHOSEN, "mark": mark, "encoding": {"x": x, "y": y, **channels}}


def zoomable(spec: NewRow) -> NewRow:
    """The specification with a zoom if its x axis is time; `usermeta` names the signal with the span."""
    unit = _timed(spec)
    if unit is None:
        return spec
    unit["params"] = [{"name": _ZOOM, "bind": "scales", "select": _SELECT}]
    return {**spec, "usermeta": {_ZOOM: f"{_ZOOM}_{unit['encoding']['x']['field']}"}}


def _timed(spec: NewRow) -> NewRow | None:
    """The first unit of a specification with a time scale on its x axis; None for concatenated charts."""
    x = spec.get("encoding", {}).get("x", {})
    if x.get("type") == "temporal" and "scale" in x:
        return spec
    return next((unit for part in spec.get("layer", ()) if (unit := _timed(part))), None)
