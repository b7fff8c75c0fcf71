"""Fujitsu SU700 with one, two and four 8 Gbit/s channels: published cells compared with the channel model.

Blocks are small (4 KB) and large (480 KB). Reads and writes on four channels show and calibrate the limit of the host's
I/O system; no other cell is fitted.
"""

from collections.abc import Iterator, Mapping

from iosq.models import channel, machine
from iosq.models.studies.check import Check
from iosq.models.studies.se700 import KB, READ_RATIO, Cell
from iosq.toolkit.rows import csv_rows

TITLE = (
    "Fujitsu, BS2000 OSD/BC Performance Handbook: Scaling (8-Gbit channels), "
    "bs2manuals.ts.fujitsu.com/psCONCEPTDESCRIPTIONSV210en/scaling-8-gbit-channels-performance_en-130-5283514.html"
)
SATURATED = 4  # channels with which "the performance of the SU700's IO system is exhausted"


def cells() -> list[Cell]:
    """All published cells, in the source's order."""
    return [cell for line in csv_rows("iosq.models", "studies", "bs2000", "scaling.csv") for cell in _cells(line)]


def _cells(line: Mapping[str, str]) -> Iterator[Cell]:
    counts = (int(line[name]) for name in ("channels", "tasks", "volumes", "aliases_per_volume"))
    channels, tasks, volumes, aliases = counts
    name, reads = f"{channels} channels, {tasks} tasks on {volumes} volumes", READ_RATIO[line["load_type"]]
    is_calibration = channels == SATURATED and reads in (0.0, 1.0)
    for block_kb, column in ((4, "io_rate"), (480, "mb_rate")):
        load, value = channel.Load(block_kb * KB, reads, tasks, volumes, aliases + 1), float(line[column])
        subject = f"{block_kb} KB {line['load_type']}, {name}"
        yield Cell("bs2000", subject, load, value, column == "io_rate", is_calibration, channels)


def checks() -> list[Check]:
    """One check per cell."""
    box = channel.from_machine(machine.load("se700"))
    return [cell.check(box) for cell in cells()]
