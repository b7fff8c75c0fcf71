"""A question has at most 20 columns of its own: what is asked about its subjects only is a question of its own."""

import csv
from collections import Counter
from pathlib import Path

from iosq.toolkit.predict.evidence import NONE, Answer, Evidence

MOST = 20
# questions about members that have more, as the models take a volume, its way and its box in one row: none may grow
WIDE = {
    "evidence_closed_member": 36, "evidence_volume_now": 30, "pav_add_alias_then": 26, "alias_pool_dry_member": 22,
}  # fmt: skip
# answers of all questions on the planted days, a line per column
ANSWERS = Path(__file__).parent / "golden" / "answers.csv"
# what the macro `incident` adds to the columns of a query
INCIDENT = {
    "window_start", "window_end", "bad_intervals", "runs", "first_start", "last_end", "bad_days", "every_h",
    "longest_s", "deep_s", "lost", "worst_lost",
}  # fmt: skip


def test_a_question_has_at_most_20_columns() -> None:
    with ANSWERS.open(encoding="utf-8", newline="") as lines:
        counts = Counter(
            code for plan, code, column, *_ in csv.reader(lines) if plan == "clinic" and column not in INCIDENT
        )
    wide = {code: count for code, count in counts.items() if count > MOST}
    assert wide == WIDE, f"more columns than {MOST}"


def test_a_row_without_evidence_has_its_columns_without_values() -> None:
    evidence = Evidence({"path": Answer(("lcu", "port"), [{"lcu": "0010", "port": "05"}]), "none": NONE})
    rows = evidence.joined([{"lcu": "0010", "n": 1}, {"lcu": "0011", "n": 2}], {"path": ["lcu"], "none": ["lcu"]})
    assert rows == [{"lcu": "0010", "n": 1, "port": "05"}, {"lcu": "0011", "n": 2, "port": None}]
