"""A truncated record: its length field matches, but its sections are beyond its end."""

from iosq.toolkit.sample.planting import Planted, Record, Scenario

SYSTEM, KIND, INTERVAL = "SYSB", "78.3", 11


def _damage(record: Record) -> Record:
    if (record.system, record.kind, record.interval) != (SYSTEM, KIND, INTERVAL):
        return record
    kept = record.data[: len(record.data) // 2]
    return record._replace(data=len(kept).to_bytes(2, "big") + kept[2:])


PLANTED = Planted(
    finding="triplet_outside",
    subject_kind="record",
    subject=KIND,
    systems=(SYSTEM,),
    start_hour=INTERVAL / 4,
    end_hour=(INTERVAL + 1) / 4,
    evidence="one record fails, the records before and behind it are read",
)
SCENARIO = Scenario("A truncated record", (PLANTED,), damage=_damage)
