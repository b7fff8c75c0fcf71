"""Rows on which each rule says something, cut down to the fewest: `python -m tests.sentences` renews them.

Rows come from the sample's plans, each with all its planted troubles, or from lakes that are named. It takes some
minutes; after it, `IOSQ_GOLDEN=write pytest tests/sentences` renews the texts.
"""

import datetime as dt
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

import iosq
from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.finding import Rule
from iosq.toolkit.rows import Row
from iosq.toolkit.sample import write
from iosq.toolkit.sql.questions import ask
from tests.days import PACKAGES
from tests.judged import judged
from tests.materialised import materialised

PLANS = ("sysplex", "clinic", "week")
ROWS = Path(__file__).with_name("rows.json")


def _says(rule: Rule, rows: list[Row]) -> bool:
    try:
        return bool(rows) and bool(list(judged(rule, rows)))
    except (ArithmeticError, LookupError, TypeError, ValueError, iosq.IosqError):
        return False


def _fewest(rule: Rule, rows: list[Row]) -> list[Row]:
    """Rows left when no run of them can be taken away without silencing the rule."""
    size = max(len(rows) // 2, 1)
    while size:
        at = 0
        while at < len(rows):
            fewer = rows[:at] + rows[at + size :]
            if _says(rule, fewer):
                rows = fewer
            else:
                at += size
        size //= 2
    return rows


def _plain(value: Any) -> Any:
    return {"at": value.isoformat()} if isinstance(value, dt.datetime | dt.date) else float(value)


def _sampled(folder: Path) -> list[str]:
    """A lake for each plan of the sample."""
    for plan in PLANS:
        write(folder / plan / "dumps", plan=PACKAGES[plan])
        iosq.ingest(folder / plan / "lake", [folder / plan / "dumps"])
    return [str(folder / plan / "lake") for plan in PLANS]


def main(lakes: list[str]) -> None:
    """Write `rows.json`: one list of rows per rule and lake in which it says something."""
    with tempfile.TemporaryDirectory() as folder:
        _renew(lakes or _sampled(Path(folder)))


def _renew(lakes: list[str]) -> None:
    found: dict[str, list[list[Row]]] = {}
    for lake in lakes:
        with materialised(iosq.open(lake).connection(), question_texts()) as con:
            for rule in all_rules():
                limits = rule.limits(None)
                rows = ask(con, rule.question, **{n: limits[n] for n in rule.question.asked_with}).to_pylist()
                if _says(rule, rows):
                    found.setdefault(rule.code, []).append(_fewest(rule, rows))
    ROWS.write_text(json.dumps(found, indent=0, default=_plain, sort_keys=True) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
