"""Reads numbers and marks printed by RMF: blanks, dashes, `N/A`, `NaN`, K/M/G suffixes, `H` and `*` after a count."""

import re

# texts printed for missing values; runs of one sign have any length
_ABSENT = re.compile(r"(-+|\*+|N/A|N/D|n/a|NaN|Deact|\.\.\.)?\Z")
MARKS = "HS*"
# a single comma may be a decimal comma; a second comma or a point shows that it separates thousands
_NUMBER = re.compile(
    rf"([+-]?(?:\d+\.?\d*|\d{{1,3}}(?:,\d{{3}})+\.\d*|\d{{1,3}}(?:,\d{{3}}){{2,}}|\.\d+))([KMGTP]?)([{MARKS}]*)\Z"
)
_THOUSANDS = re.compile(r"\d{1,3}(?:,\d{3})+\Z")
_POWER = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def absent(text: str) -> bool:
    """True if `text` means a missing value (blank, `----`, `****`, `N/A`, `NaN`, `Deact`)."""
    text = text.strip()
    return not text or (not text[-1].isdigit() and _ABSENT.match(text) is not None)


def number(text: str, base: int = 1000, *, whole: bool = False) -> tuple[float, str] | None:
    """A printed number with its marks: `1.2H` is `(1.2, "H")`, `17.5K` is `(17500.0, "")`; None if it is not one.

    `12,345` is not a number: it is ambiguous between decimal comma and thousands separator.

    `base` is the value of a K suffix: 1000 for counts and rates, 1024 for storage sizes. In a `whole` number, a comma
    can only separate thousands.
    """
    text = text.strip()
    if whole and _THOUSANDS.match(text):
        text = text.replace(",", "")
    found = _NUMBER.match(text)
    if found is None:
        return None
    digits, suffix, mark = found.groups()
    return float(digits.replace(",", "")) * base ** _POWER[suffix], mark
