"""A job that reads many volumes in turn, and whose tracks displace those of all others."""

import pytest
from advise_rows import Row, applied, at, box, cached

from iosq.toolkit.advise.catalog import all_rules

RULE = next(r for r in all_rules() if r.code == "sequential_flood")
A_DAY = 96


def rows(days: int) -> dict[str, list[Row]]:
    """Ten volumes are read in turn for an hour of each day by a job, a few of whose I/Os are another's."""
    cache: list[Row] = []
    used: list[Row] = []
    for day in range(days):
        for n in range(12):
            is_flood, each = 4 <= n < 8, {"interval_start": at(day * A_DAY + n), "interval_s": 900.0}
            of_job = {"sequential_ratio": 0.95, "sequential_stage_rate": 12.0 * is_flood, "write_count": 0.0}
            others = {"sequential_ratio": 0.1, "sequential_stage_rate": 1.0, "write_count": 0.0}
            cache += [cached(f"SEQ{v}", hits=10.0, **of_job, **each) for v in range(10)]
            cache += [cached(f"V{v}", hits=600.0 if is_flood else 970.0, **others, **each) for v in range(10)]
            used += [
                {"volser": "SEQ3", "job": job, "data_set": "A.B", "io_count": ios, **each}
                for job, ios in (("UNLOAD", 9000.0), ("ONLINE", 100.0))
            ]
    return {"cache_interval": cache, "dataset_interval": used, "cache_subsystem_interval": [box("2010", "AB1")]}


@pytest.mark.parametrize(("days", "severity"), [(1, "watch"), (2, "watch"), (3, "act")])
def test_the_job_and_its_volumes_are_named_and_a_schedule_is_one_to_act_on(days: int, severity: str) -> None:
    (finding,) = applied(RULE, rows(days))
    assert finding.severity == severity
    assert finding.text.startswith("Sequential work on SEQ0, SEQ1, SEQ2 floods the cache of box 2107-961 AB1")
    assert finding.advice.startswith("Move job UNLOAD to a quiet hour")
