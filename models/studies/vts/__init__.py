"""IBM Virtual Tape Server: ratios and limits in its FICON paper compared with the tape model.

Checks ratios, limits and directions of the paper; it has no rates, so the model's are marked as assumed.
"""

from collections.abc import Callable
from dataclasses import replace

from iosq.models import machine, tape
from iosq.models.machine import Machine
from iosq.models.studies.check import Check, direction
from iosq.models.tape import TapeLoad
from iosq.toolkit.rows import csv_rows

TITLE = "IBM, TotalStorage Virtual Tape Server: FICON and Advanced Policy Management Performance Overview, 2002"
STUDY = "vts"
STANDARD = TapeLoad(jobs=128, ficon_count=8)
KB = 1024.0

Predict = Callable[[Machine], float]


def checks() -> list[Check]:
    """One check per stated ratio or limit of the B20, and the stated directions; configuration rows are inputs."""
    box, rows = machine.load("vts-b20"), csv_rows("iosq.models", "studies", "vts", "vts_ficon.csv")
    stated = [_check(box, row) for row in rows if row["metric"] in _PREDICTIONS or row["metric"] in _GIVEN]
    return stated + _directions(box)


def _check(box: Machine, row: dict[str, str]) -> Check:
    subject = f"{row['topic']} {row['metric']}".replace("_", " ")
    subject += f", {row['qualifier']}" + (f" ({row['condition']})" if row["condition"] else "")
    predict, role = _PREDICTIONS.get(row["metric"], (None, "unpredicted"))
    note = "" if predict else _GIVEN[row["metric"]]
    return Check(STUDY, subject, row["unit"], predict(box) if predict else None, float(row["value"]), role, note)


def _sustained(box: Machine, work: TapeLoad = STANDARD) -> float:
    return tape.predict(box, work).sustained_bytes_rate


def _peak(box: Machine, work: TapeLoad = STANDARD) -> float:
    return tape.predict(box, work).peak_bytes_rate


def _cut(**policy: float) -> Predict:
    return lambda box: 100 * (1 - _sustained(box, replace(STANDARD, **policy)) / _sustained(box))  # type: ignore[arg-type]


def _peak_cut(box: Machine) -> float:
    return 100 * (1 - _peak(box, replace(STANDARD, pools=20, dual_copy_ratio=1.0)) / _peak(box))


def _drawer_gain(box: Machine) -> float:
    return 100 * (1 - _peak(box.varied(drawer_count=2)) / _peak(box))


def _droop(jobs: int, block_kb: float) -> Predict:
    """Loss of throughput from 0 to 100 km on FICON, in percent."""

    def loss(box: Machine) -> float:
        work = replace(STANDARD, jobs=jobs, block_bytes=block_kb * KB)
        return 100 * (1 - _peak(box, replace(work, distance_km=100.0)) / _peak(box, work))

    return loss


def _escon_per_ficon(box: Machine) -> float:
    attached = tape.attachment()
    one = [tape.channel_bytes_rate(box, attached, replace(STANDARD, escon_count=e, ficon_count=1 - e)) for e in (0, 1)]
    return one[0] / one[1]


_PREDICTIONS: dict[str, tuple[Predict, str]] = {
    "sustained_rate_reduction_one_pool": (_cut(pools=1), "scored"),
    "sustained_rate_reduction_pools_lt_drives": (_cut(pools=6), "calibration"),
    "sustained_rate_reduction_pools_ge_drives": (_cut(pools=12), "calibration"),
    "sustained_rate_reduction_100pct_dual_copy": (_cut(dual_copy_ratio=1.0), "scored"),
    "peak_rate_reduction": (_peak_cut, "scored"),
    "two_vs_four_drawers_difference": (_drawer_gain, "calibration"),
    "ficon_droop_256k_blocks_at_100km": (_droop(1, 256), "scored"),
    "multi_job_droop_blocks_at_least_32k": (_droop(128, 32), "scored"),
    "escon_channels_replaced_by_one_ficon": (_escon_per_ficon, "calibration"),
    "max_rate": (lambda box: box.value("mounts_per_hour"), "calibration"),
    "excp_to_qsam_bufno": (lambda _: float(tape.qsam_bufno(1)), "calibration"),
    "escon_max": (lambda _: tape.attachment().escon.distance_max_km, "calibration"),
    "ficon_max": (lambda _: tape.attachment().ficon.distance_max_km, "calibration"),
}
_GIVEN = {
    "freeway_vs_g6_per_channel_gain": "host processors are not modelled",
    "ficon_attachments_per_iop_advice": "host processors are not modelled",
    "max_rate_improvement": "of the library manager's PC, which is not modelled",
    "consecutive_volumes_per_stacked_volume_before": "placement on cartridges is not modelled",
    "consecutive_volumes_per_stacked_volume_after": "placement on cartridges is not modelled",
}


def _directions(box: Machine) -> list[Check]:
    """Statements of the paper without a number, checked with the standard workload."""
    ends = tape.simulate(box, STANDARD, [tape.TapePhase(2 * tape.predict(box, STANDARD).peak_s, 128)]).host_bytes_rate
    small, large = (replace(STANDARD, jobs=1, block_bytes=size * KB) for size in (4, 256))
    few, many = (replace(STANDARD, jobs=1, bufno=count) for count in (4, 40))
    tight = replace(STANDARD, compression_ratio=1.33)
    near_km, far_km = (replace(small, distance_km=km) for km in (0.0, 100.0))
    lost = {size: _droop(1, size)(box) for size in (4, 256)}
    note = "absolute rates are assumed"
    return [
        direction(STUDY, "throughput falls to the premigration rate once the cache is full", ends[-1] < ends[0], note),
        direction(STUDY, "larger blocks raise a single job's rate", _peak(box, large) > _peak(box, small), note),
        direction(STUDY, "more buffers raise a single job's rate", _peak(box, many) > _peak(box, few), note),
        direction(
            STUDY, "better compression raises the sustained rate", _sustained(box) > _sustained(box, tight), note
        ),
        direction(STUDY, "distance costs small blocks more than large ones", lost[4] > lost[256], note),
        direction(STUDY, "distance costs a single small-block job", _peak(box, far_km) < _peak(box, near_km), note),
    ]
