"""A slider over the counts of an alias curve, by Vega's own input; it shows wait and response at the chosen count."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.theme import INK, PAPER

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


def with_slider(spec: NewRow) -> NewRow:
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
