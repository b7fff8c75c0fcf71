"""Units of measure: how a value of a column is written for people."""

_BINARY = ("B", "KiB", "MiB", "GiB", "TiB", "PiB")


def human_bytes(count: float) -> str:
    """`1536` as `1.5 KiB`; whole bytes without a fraction."""
    size, step = float(count), 0
    while abs(size) >= 1024 and step < len(_BINARY) - 1:
        size, step = size / 1024, step + 1
    return f"{size:.0f} {_BINARY[step]}" if step == 0 else f"{size:.1f} {_BINARY[step]}"


def human_number(value: float | None, digits: int = 3) -> str:
    """A number with `digits` significant digits and no exponent; `n/a` for None."""
    if value is None or value != value:
        return "n/a"
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    return f"{float(text):,.0f}" if "e" in text or abs(value) >= 10 ** (digits - 1) else text


# display of a column's unit: factor, and the unit after the number
_SCALED: dict[str, tuple[float, str]] = {
    "_ms": (1, "ms"),
    "_rate": (1, "per s"),
    "_ratio": (100, "%"),
    "queue_length": (1, "I/Os"),
    "alias_high_water": (1, "aliases"),
}
_ONE = {"I/Os": "I/O", "aliases": "alias", "writes": "write", "hours": "hour", "percentage points": "percentage point"}


def with_unit(number: str, unit: str) -> str:
    """`12 ms`, `2 I/Os`, `1 I/O`: a number as it is written, and its unit by number; without a unit the number."""
    return f"{number} {_ONE.get(unit, unit) if number == '1' else unit}".rstrip()


def display_unit(name: str) -> tuple[float, str]:
    """Factor from a column's value to its displayed value, and the displayed unit; (1, "") if it has none."""
    return next((how for end, how in _SCALED.items() if name.endswith(end)), (1, ""))
