"""Fujitsu SU700 with one, two and four 8 Gbit/s channels: published cells compared with the channel model.

Compares rates of several channels with the channel model, for small (4 KB) and large (480 KB) blocks.

Reads and writes on four channels show and calibrate the limit of the host's I/O system; no other cell is fitted.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from iosq.models import channel, machine
from iosq.models.studies.check import Check
from iosq.models.studies.se700 import KB, MB, READ_RATIO
from iosq.toolkit.rows import csv_rows

TITLE = (
    "Fujitsu, BS2000 OSD/BC Performance Handbook: Scaling (8-Gbit channels), "
    "bs2manuals.ts.fujitsu.com/psCONCEPTDESCRIPTIONSV210en/scaling-8-gbit-channels-performance_en-130-5283514.html"
)
SATURATED = 4  # channels with which "the performance of the SU700's IO system is exhausted"


@dataclass(frozen=True)
class Cell:
    """One published cell; `value` in I/Os per second of small blocks, or MB (2^20 bytes) per second of large ones."""

    channels: int
    load: channel.Load
    name: str
    value: float

    @property
    def is_small(self) -> bool:
        """True if the value is a rate of small blocks."""
        return self.load.block_bytes == 4 * KB

    @property
    def io_rate(self) -> float:
        """The value as I/Os per second."""
        return self.value if self.is_small else self.value * MB / self.load.block_bytes

    @property
    def is_calibration(self) -> bool:
        """True if the machine file was fitted to this cell."""
        return self.channels == SATURATED and self.load.read_ratio in (0.0, 1.0)


def cells() -> list[Cell]:
    """All published cells, in the source's order."""
    return [cell for line in csv_rows("iosq.models", "studies", "bs2000", "scaling.csv") for cell in _cells(line)]


def _cells(line: dict[str, str]) -> Iterator[Cell]:
    tasks, volumes, exposures = int(line["tasks"]), int(line["volumes"]), int(line["aliases_per_volume"]) + 1
    name = f"{line['load_type']}, {line['channels']} channels, {tasks} tasks on {volumes} volumes"
    for block_kb, column in ((4, "io_rate"), (480, "mb_rate")):
        load = channel.Load(block_kb * KB, READ_RATIO[line["load_type"]], tasks, volumes, exposures)
        yield Cell(int(line["channels"]), load, f"{block_kb} KB {name}", float(line[column]))


def checks() -> list[Check]:
    """One check per cell."""
    box = channel.from_machine(machine.load("se700"))
    return [_check(box, cell) for cell in cells()]


def _check(box: channel.Channel, cell: Cell) -> Check:
    found = channel.predict(box, cell.load, channels=cell.channels)
    predicted = found.io_rate if cell.is_small else found.bytes_rate / MB
    unit = "per s" if cell.is_small else "MB/s (2^20)"
    role = "calibration" if cell.is_calibration else "scored"
    return Check("bs2000", cell.name, unit, predicted, cell.value, role)
