"""A rule's query has at most 20 columns: what is asked about its subjects only is a question of its own."""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path

from iosq.toolkit.advise.catalog import all_rules

MOST = 20
# answers of all questions on the planted days, a line per column
ANSWERS = Path(__file__).parent / "golden" / "answers.csv"
# queries that are too wide yet, with the most columns that they may have
PENDING = {
    "box_saturated": 32, "cache_off": 25, "cache_too_small": 22, "channel_busy": 43, "disc_unexplained": 30,
    "low_hit_ratio": 23, "nvs_delay": 40, "pav_add_alias": 21, "pend_unexplained": 24, "rank_saturated": 35,
    "remote_copy_wait": 23, "reserve_contention": 27, "sequential_flood": 23, "slow_path": 36,
}  # fmt: skip


def test_a_query_of_a_rule_has_at_most_20_columns() -> None:
    with ANSWERS.open(encoding="utf-8", newline="") as lines:
        counts = Counter(code for plan, code, *_ in csv.reader(lines) if plan == "clinic")
    wide = {r.code: counts[r.code] for r in all_rules() if counts[r.code] > PENDING.get(r.code, MOST)}
    assert not wide, f"more columns than {MOST}, or than before: {wide}"
