"""Stand-alone dump: directions in its performance report compared with the dump model.

Checks directions and the few numbers in the report's text; its times are only in charts.
"""

from collections.abc import Callable

from iosq.models import dump, machine
from iosq.models.machine import Machine
from iosq.models.studies.check import Check, direction
from iosq.toolkit.rows import csv_rows

TITLE = "IBM, z/OS Performance: Stand-Alone Dump Performance (z/OS 1.2)"
STUDY = "dump"
GB = 1e9
TESTED = (2, 4, 8)
SIZES = (2.5 * GB, 4.5 * GB)

Holds = Callable[[Machine, Machine], bool]


def checks() -> list[Check]:
    """One check per stated direction and number, without configuration values."""
    disk, ess = machine.load("sadump-3390-3"), machine.load("sadump-ess")
    rows = csv_rows("iosq.models", "studies", "sadump", "sadump.csv")
    return [_check(row, disk, ess) for row in rows if row["topic"] != "configuration" and "tested" not in row["metric"]]


def _check(row: dict[str, str], disk: Machine, ess: Machine) -> Check:
    subject = f"{row['topic']} {row['metric']}".replace("_", " ") + f", {row['qualifier']}"
    if row["qualifier"] == "direction":
        stated = f"{subject}: {row['unit']} ({row['condition']})"
        return direction(
            STUDY, stated, _DIRECTIONS[row["topic"], row["metric"]](disk, ess), "parameters assumed to fit"
        )
    value = _NUMBERS[row["topic"], row["metric"]](disk, ess)
    return Check(STUDY, subject, row["unit"], value, float(row["value"]), "calibration", "parameters assumed to fit")


def _seconds(box: Machine, volumes: int, size: float = SIZES[0], *, is_virtual: bool = False) -> float:
    return dump.dump_time(box, size, volumes=volumes, is_virtual=is_virtual).value


def _ipcs(box: Machine, volumes: int, size: float = SIZES[1]) -> float:
    return dump.ipcs_time(box, size, volumes=volumes).value


def _spanning_helps(disk: Machine, ess: Machine) -> bool:
    pairs = zip((1, *TESTED), TESTED, strict=False)
    return all(_seconds(box, more) < _seconds(box, less) for less, more in pairs for box in (disk, ess))


def _ess_faster_and_gap_narrows(disk: Machine, ess: Machine) -> bool:
    gaps = [_seconds(disk, n) / _seconds(ess, n) for n in TESTED]
    return min(gaps) > 1 and gaps[0] > gaps[1]


def _less_than_linear(disk: Machine, ess: Machine) -> bool:
    growth = SIZES[1] / SIZES[0]
    return all(1 < _seconds(box, n, SIZES[1]) / _seconds(box, n) < growth for n in TESTED for box in (disk, ess))


def _ess_no_advantage(disk: Machine, ess: Machine) -> bool:
    cases = [(n, size) for n in TESTED for size in (3 * GB, 4.5 * GB)]
    ratios = [_seconds(disk, n, s, is_virtual=True) / _seconds(ess, n, s, is_virtual=True) for n, s in cases]
    return abs(sum(ratios) / len(ratios) - 1) < disk.value("repeatability_ratio")


def _ipcs_linear(disk: Machine, ess: Machine) -> bool:
    growth = SIZES[1] / SIZES[0]
    return all(abs(_ipcs(box, n) / _ipcs(box, n, SIZES[0]) / growth - 1) < 0.1 for n in TESTED for box in (disk, ess))


_DIRECTIONS: dict[tuple[str, str], Holds] = {
    ("real_storage_dump", "spanning_effect"): _spanning_helps,
    ("real_storage_dump", "ess_vs_3390_3"): _ess_faster_and_gap_narrows,
    ("real_storage_dump", "time_vs_size"): _less_than_linear,
    ("virtual_dump", "ess_vs_3390_3"): _ess_no_advantage,
    ("ipcs_init", "time_vs_spanned_volumes"): lambda disk, ess: all(
        _ipcs(box, 2) < _ipcs(box, 4) < _ipcs(box, 8) for box in (disk, ess)
    ),
    ("ipcs_init", "time_vs_dump_size"): _ipcs_linear,
}
_NUMBERS: dict[tuple[str, str], Callable[[Machine, Machine], float]] = {
    ("repeatability", "timing_variability"): lambda disk, _: 100 * disk.value("repeatability_ratio"),
    ("real_storage_dump", "volumes_beyond_which_no_gain"): lambda disk, _: dump.volumes_worth_having(disk, SIZES[1]),
    ("virtual_dump", "volumes_beyond_which_no_gain"): lambda disk, _: dump.volumes_worth_having(
        disk, 3 * GB, is_virtual=True
    ),
    ("ipcs_init", "ess_speedup"): lambda disk, ess: _ipcs(disk, TESTED[0]) / _ipcs(ess, TESTED[0]),
    ("recommendation", "spanned_volumes"): lambda disk, _: dump.volumes_worth_having(disk, SIZES[0]),
}
