"""IBM 3990-6 with 64 3390-3: published end points compared with the cached-subsystem and NVS models.

Every number in the profile is compared; missing details are stated, not guessed.
"""

from iosq.models import machine
from iosq.models.machine import Machine
from iosq.models.nvs import subsystem
from iosq.models.nvs.subsystem import Workload
from iosq.models.studies.check import Check, direction
from iosq.models.studies.ibm3990_6.predict import predictor
from iosq.models.studies.ibm3990_6.published import READ_MISS_RATIO, SMALL, TITLE, Row, is_calibration, rows

__all__ = ["TITLE", "checks"]

STUDY = "3990-6"
UNSAID = "the source states neither write share nor hit ratio of this load"
REASONS = {
    "hit": "given to the model, not predicted",
    "background": "given to the model, not predicted",
    "response_at_max": "given to the model, not predicted",
    "difference": "follows from the two envelopes above",
    "effective_channel_rate": "depends on channel programs the source does not describe",
    "stage_rate_vs": "16.7 of 16.8 MB/s is 99 %, so the source means another rate",
}


def checks() -> list[Check]:
    """One check per stated number outside the configuration table, followed by the stated directions."""
    box = machine.load("ibm3990-6")
    return [_check(box, row) for row in rows() if row.test != "configuration"] + _directions(box)


def _check(box: Machine, row: Row) -> Check:
    predict = predictor(row)
    role = "calibration" if is_calibration(row) else "scored" if predict else "unpredicted"
    note = row.note if predict else next((why for word, why in REASONS.items() if word in row.metric), UNSAID)
    return Check(STUDY, _subject(row), row.unit, predict(box, row) if predict else None, row.value, role, note)


def _subject(row: Row) -> str:
    block = f"{row.block_bytes:.0f} B" if row.block_bytes else ""
    write = f"{row.write_ratio:.0%} writes" if row.write_ratio is not None else ""
    words = (row.test, block, write, row.locality, f"{row.metric}, {row.qualifier}")
    return " ".join(word.replace("_", " ") for word in words if word)


def _directions(box: Machine) -> list[Check]:
    """Statements without a number: a busy device does not affect others, record staging beats track staging."""
    load = Workload(SMALL, 0.0, READ_MISS_RATIO)
    alone, shared = (subsystem.response_ms(box, load, rate) for rate in (512.0, 512.0 + 114.0 * READ_MISS_RATIO))
    by_record, by_track = (
        subsystem.max_rate(box, Workload(SMALL, 0.25, 0.8, is_track_staged=staged)) for staged in (False, True)
    )
    harm = f"others respond in {alone:.2f} ms alone, {shared:.2f} ms next to it"
    return [
        direction(STUDY, "one device at its maximum leaves the other 63 unharmed", shared < 1.05 * alone, harm),
        direction(STUDY, "record staging carries more random I/Os than track staging", by_record > by_track),
    ]
