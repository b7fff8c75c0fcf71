"""Zoom on time in the charts of the page, by Vega's own interval selection."""

from iosq.toolkit.rows import NewRow

NAME = "zoom"
# without Ctrl the wheel scrolls the page
_SELECT = {"type": "interval", "encodings": ["x"], "zoom": "wheel![event.ctrlKey]"}
HINT = (
    "In charts over time, Ctrl and the mouse wheel zoom, a drag moves the span, a double click shows all of it; "
    "the others follow."
)


def zoomable(spec: NewRow) -> NewRow:
    """The specification with a zoom if its x axis is time; `usermeta` names the signal with the span."""
    unit = _timed(spec)
    if unit is None:
        return spec
    unit["params"] = [{"name": NAME, "bind": "scales", "select": _SELECT}]
    return {**spec, "usermeta": {NAME: f"{NAME}_{unit['encoding']['x']['field']}"}}


def _timed(spec: NewRow) -> NewRow | None:
    """The first unit of a specification with a time scale on its x axis; None for concatenated charts."""
    x = spec.get("encoding", {}).get("x", {})
    if x.get("type") == "temporal" and "scale" in x:
        return spec
    return next((unit for part in spec.get("layer", ()) if (unit := _timed(part))), None)
