"""The numbers in the text of the 3990-6 profile."""

from dataclasses import dataclass
from functools import cache

from iosq.toolkit.rows import csv_rows

TITLE = "Performance Associates, DASD Subsystem Performance Profile: IBM 3990-6 with 3390-3s, 1995, revised 1996"


@dataclass(frozen=True)
class Row:
    """One stated value; `block_bytes` and `write_ratio` are None if the text does not state them."""

    test: str
    block_bytes: float | None
    write_ratio: float | None
    locality: str
    metric: str
    qualifier: str
    value: float
    unit: str
    note: str


@cache
def rows() -> tuple[Row, ...]:
    """All rows, in the source's order."""
    return tuple(_row(line) for line in csv_rows("iosq.models", "studies", "ibm3990_6", "ibm3990_6.csv"))


def _row(line: dict[str, str]) -> Row:
    return Row(
        test=line["test"],
        block_bytes=float(line["block_bytes"]) if line["block_bytes"] else None,
        write_ratio=float(line["write_pct"]) / 100 if line["write_pct"] else None,
        locality=line["locality"],
        metric=line["metric"],
        qualifier=line["qualifier"],
        value=float(line["value"]),
        unit=line["unit"],
        note=line["note"],
    )


def value(
    given: tuple[Row, ...], test: str, metric: str, block_bytes: float, write: float | None, locality: str = ""
) -> float:
    """The value of the one row with these keys."""
    key = (test, metric, block_bytes, write)
    found = [
        r.value
        for r in given
        if (r.test, r.metric, r.block_bytes, r.write_ratio) == key and locality in (r.locality, "")
    ]
    if len(found) != 1:
        raise LookupError(f"{len(found)} rows for {key}")
    return found[0]
