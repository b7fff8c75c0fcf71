"""Elasticity of a box: relative growth of its rate per relative growth of I/Os in progress, from `box_curve`."""

from iosq.toolkit.rows import Row

POINTS_MIN = 5
# max / min of I/Os in progress: with less variation the elasticity is unknown
VARIED_MIN = 1.3
# an elasticity range this wide is useless
ANYTHING = 0.9


def elasticity_bounds(row: Row) -> tuple[float, float] | None:
    """The elasticity plus and minus two standard errors, within 0..1; None if it was not measured."""
    return None if _unmeasured(row) else _around(row, (row["points"] - 2) ** -0.5)


def elasticity_scatter(row: Row) -> tuple[float, float] | None:
    """The elasticity plus and minus the scatter of single intervals, within 0..1.

    None if it was not measured, or if any value is possible.
    """
    if _unmeasured(row):
        return None
    low, high = _around(row, 1.0)
    return (low, high) if high - low < ANYTHING else None


def _unmeasured(row: Row) -> bool:
    few = row["elasticity_ratio"] is None or row["points"] < POINTS_MIN
    return bool(few or row["in_service_max"] < VARIED_MIN * row["in_service_min"])


def _around(row: Row, share: float) -> tuple[float, float]:
    unexplained = max(1.0 - (row["fit_ratio"] or 0.0), 0.0)
    error = 2 * row["spread_ratio"] * unexplained**0.5 * share
    return (_ratio(row["elasticity_ratio"] - error), _ratio(row["elasticity_ratio"] + error))


def _ratio(value: float) -> float:
    return min(max(value, 0.0), 1.0)
