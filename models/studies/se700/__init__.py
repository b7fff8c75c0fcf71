"""Fujitsu SE700 with one 8 Gbit/s Fibre Channel: published cells compared with the channel model.

Twelve rows calibrate: reads and writes only, no PAV, blocks of 4, 32 and 480 KB.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from iosq.models import channel, machine
from iosq.models.studies.check import Check, direction
from iosq.toolkit.rows import csv_rows

TITLE = "Fujitsu, BS2000/OSD: Performance of one 8-Gbit channel (SE700)"
KB = 1024.0
MB = 1024.0**2  # 23,700 x 4 KB is printed as 92 MB/s: a megabyte is 2^20 bytes in this source
READ_RATIO = {"read": 1.0, "write": 0.0, "random25": 0.75}
USED = {4: (1, 6, 18), 480: (1, 18)}  # tasks of the cells that the machine file was fitted to, by block in KB


@dataclass(frozen=True)
class Cell:
    """One published cell: I/Os per second if `is_rate`, else MB (2^20 bytes) per second.

    is_calibration: true if the machine file was fitted to it.
    """

    study: str
    subject: str
    load: channel.Load
    value: float
    is_rate: bool
    is_calibration: bool
    channels: int = 1

    @property
    def io_rate(self) -> float:
        """The value as I/Os per second."""
        return self.value if self.is_rate else self.value * MB / self.load.block_bytes

    def check(self, box: channel.Channel) -> Check:
        """The value and the prediction for these channels."""
        found = channel.predict(box, self.load, channels=self.channels)
        unit, predicted = ("per s", found.io_rate) if self.is_rate else ("MB/s (2^20)", found.bytes_rate / MB)
        role = "calibration" if self.is_calibration else "scored"
        return Check(self.study, self.subject, unit, predicted, self.value, role)


def cells() -> list[Cell]:
    """All published cells, in the source's order."""
    return [_cell(line) for line in csv_rows("iosq.models", "studies", "se700", "se700_fc_channel.csv")]


def _cell(line: Mapping[str, str]) -> Cell:
    aliases, volumes, tasks, block_kb = (
        int(line[name]) for name in ("aliases_per_volume", "volumes", "tasks", "block_kb")
    )
    pav = f"{aliases} aliases" if line["pav"] == "yes" else "no PAV"
    subject = f"{line['load_type']} {block_kb} KB, {tasks} tasks on {volumes} volumes, {pav}"
    load = channel.Load(block_kb * KB, READ_RATIO[line["load_type"]], tasks, volumes, aliases + 1)
    is_rate = line["metric"] == "io_rate"
    used = line["pav"] == "no" and tasks in USED.get(block_kb, ())
    if line["table"] == "block_size":
        used = block_kb == 32 and is_rate
    is_calibration = used and line["load_type"] in ("read", "write")
    return Cell("se700", subject, load, float(line["value"]), is_rate, is_calibration)


def checks() -> list[Check]:
    """Checks of the 90 cells and of the three ceilings in the text."""
    box = channel.from_machine(machine.load("se700"))
    return [cell.check(box) for cell in cells()] + _text_facts(box)


def _text_facts(box: channel.Channel) -> list[Check]:
    """Rounded ceilings in the text: they are the best of the measured loads, so these loads are predicted."""
    small = channel.predict(box, channel.Load(4 * KB, 1.0, 18, 6, 4)).io_rate
    one_way = channel.predict(box, channel.Load(480 * KB, 0.0, 18, 6, 4)).bytes_rate / MB
    both_ways = channel.predict(box, channel.Load(480 * KB, 0.5, 18, 6, 4)).bytes_rate / MB
    return [
        Check("se700", "most I/Os per second, small blocks", "per s", small, 28000.0, "scored", "text, up to"),
        Check("se700", "most throughput, one direction", "MB/s (2^20)", one_way, 600.0, "scored", "text, about"),
        direction("se700", "write:read 1:1 exceeds 1000 MB/s", both_ways > 1000, f"predicted {both_ways:.0f} MB/s"),
    ]
