"""Numbers and marks as RMF prints them: blanks, dashes, `N/A`, K/M/G suffixes, `H` and `*` behind a count."""

from __future__ import annotations

import re

# what stands where no value can be computed; the words are RMF's, the runs of one sign any length
_ABSENT = re.compile(r"(-+|\*+|N/A|N/D|n/a|\.\.\.)?\Z")
MARKS = "HS*"
_NUMBER = re.compile(rf"([+-]?(?:\d[\d,]*\.?\d*|\.\d+))([KMGTP]?)([{MARKS}]*)\Z")
_POWER = {"": 0, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5}


def absent(text: str) -> bool:
    """Whether `text` says that there is no value (blank, `----`, `****`, `N/A`)."""
    text = text.strip()
    return not text or (not text[-1].isdigit() and _ABSENT.match(text) is not None)


def number(text: str, base: int = 1000) -> tuple[float, str] | None:
    """A printed number with its marks: `1.2H` is `(1.2, "H")`, `17.5K` is `(17500.0, "")`; None if it is not one.

    Args:
        text: one token.
        base: what a K stands for: 1000 for counts and rates, 1024 for storage sizes.
    """
    found = _NUMBER.match(text.strip())
    if found is None:
        return None
    digits, suffix, mark = found.groups()
    return float(digits.replace(",", "")) * base ** _POWER[suffix], mark
