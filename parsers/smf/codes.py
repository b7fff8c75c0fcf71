"""Issues of SMF dumps; `codes.csv` has their code, severity and sentence."""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

from iosq.parsers.api import Issue, Severity


@cache
def codes() -> dict[str, tuple[Severity, str]]:
    """Severity and sentence by code."""
    text = (files("iosq.parsers.smf") / "codes.csv").read_text("utf-8")
    return {row["code"]: (row["severity"], row["text"]) for row in csv.DictReader(text.splitlines())}  # type: ignore[misc]


def issue(code: str, offset: int, record: int = 0, count: int = 1, **facts: object) -> Issue:
    """The issue `code` at a byte offset of the unpacked input; `facts` fill the sentence."""
    severity, text = codes()[code]
    return Issue(code, severity, text.format(**facts), int(offset), int(record), count)
