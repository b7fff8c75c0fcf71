"""A rule's query has at most 20 columns of its own: what is asked about its subjects only is a question of its own."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.predict.evidence import NONE, Answer, Evidence

MOST = 20
# answers of all questions on the planted days, a line per column
ANSWERS = Path(__file__).parent / "golden" / "answers.csv"
# what the macro `incident` adds to the columns of a query
INCIDENT = {
    "window_start", "window_end", "bad_intervals", "runs", "first_start", "last_end", "bad_days", "longest_s", "deep_s",
    "lost", "worst_lost",
}  # fmt: skip


def test_a_query_of_a_rule_has_at_most_20_columns() -> None:
    with ANSWERS.open(encoding="utf-8", newline="") as lines:
        counts = Counter(
            code for plan, code, column, *_ in csv.reader(lines) if plan == "clinic" and column not in INCIDENT
        )
    wide = {r.code: counts[r.code] for r in all_rules() if counts[r.code] > MOST}
    assert not wide, f"more columns than {MOST}: {wide}"


def test_a_row_without_evidence_has_its_columns_without_values() -> None:
    evidence = Evidence({"path": Answer(("lcu", "port"), [{"lcu": "0010", "port": "05"}]), "none": NONE})
    rows = evidence.joined([{"lcu": "0010", "n": 1}, {"lcu": "0011", "n": 2}], {"path": ["lcu"], "none": ["lcu"]})
    assert rows == [{"lcu": "0010", "n": 1, "port": "05"}, {"lcu": "0011", "n": 2, "port": None}]
