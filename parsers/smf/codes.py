"""Issues of SMF dumps; `codes.csv` defines code, severity and message."""

from functools import cache

from iosq.parsers.api import Issue, Severity
from iosq.toolkit.rows import csv_rows


@cache
def codes() -> dict[str, tuple[Severity, str]]:
    """Severity and message by code."""
    return {row["code"]: (row["severity"], row["text"]) for row in csv_rows("iosq.parsers.smf", "codes.csv")}  # type: ignore[misc]


def issue(code: str, offset: int, record: int = 0, count: int = 1, **facts: object) -> Issue:
    """The issue `code` at a byte offset of the unpacked input; `facts` fill in the message."""
    severity, text = codes()[code]
    return Issue(code, severity, text.format(**facts), int(offset), int(record), count)
