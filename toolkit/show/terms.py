"""Replace z/OS terms by those of z/VM, from `terms.csv`, which gives the source of each."""

import re
from collections.abc import Container
from functools import cache

from iosq.toolkit.rows import csv_rows


def in_cp_terms(text: str) -> str:
    """A text in the terms of z/VM, which has no IOSQ and writes no SMF records."""
    pattern, terms = _terms()
    return pattern.sub(lambda m: terms[m[0]], text)


def titled(kind: str, name: str, systems: Container[str]) -> str:
    """`box AB121`; a box that no record names has the name of its LCU or of its system."""
    if kind == "box" and name in systems:
        return f"the storage of {name}"
    return name if name.startswith("LCU ") else f"{'LCU' if kind == 'lcu' else kind} {name}"


@cache
def _terms() -> tuple[re.Pattern[str], dict[str, str]]:
    rows = csv_rows(__package__, "terms.csv")
    terms = {row["zos"]: row["zvm"] for row in rows}
    longest_first = sorted(terms, key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))})(?!\w)"), terms
