"""Fujitsu SE700 with one 8 Gbit/s Fibre Channel: published cells compared with the channel model.

Twelve rows calibrate: reads and writes only, no PAV, blocks of 4, 32 and 480 KB.
"""

from dataclasses import dataclass

from iosq.models import channel, machine
from iosq.models.studies.check import Check, direction
from iosq.toolkit.rows import csv_rows

TITLE = "Fujitsu, BS2000/OSD: Performance of one 8-Gbit channel (SE700)"
KB = 1024.0
MB = 1024.0**2  # 23,700 x 4 KB is printed as 92 MB/s: a megabyte is 2^20 bytes in this source
READ_RATIO = {"read": 1.0, "write": 0.0, "random25": 0.75}


@dataclass(frozen=True)
class Row:
    """One published cell; `value` in I/Os per second or MB (2^20 bytes) per second, by `metric`."""

    table: str
    has_pav: bool
    aliases: int
    volumes: int
    tasks: int
    load: str
    block_kb: int
    metric: str
    value: float

    @property
    def io_rate(self) -> float:
        """The value as I/Os per second."""
        return self.value if self.metric == "io_rate" else self.value * MB / (self.block_kb * KB)

    @property
    def is_calibration(self) -> bool:
        """True if the machine file was fitted to this row."""
        if self.load not in ("read", "write"):
            return False
        if self.table == "block_size":
            return self.block_kb == 32 and self.metric == "io_rate"
        used = {4: (1, 6, 18), 480: (1, 18)}
        return not self.has_pav and self.tasks in used.get(self.block_kb, ())


def rows() -> list[Row]:
    """All published cells, in the source's order."""
    return [_row(line) for line in csv_rows("iosq.models", "studies", "se700", "se700_fc_channel.csv")]


def _row(line: dict[str, str]) -> Row:
    return Row(
        table=line["table"],
        has_pav=line["pav"] == "yes",
        aliases=int(line["aliases_per_volume"]),
        volumes=int(line["volumes"]),
        tasks=int(line["tasks"]),
        load=line["load_type"],
        block_kb=int(line["block_kb"]),
        metric=line["metric"],
        value=float(line["value"]),
    )


def checks() -> list[Check]:
    """Checks of the 90 cells and of the three ceilings in the text."""
    box = channel.from_machine(machine.load("se700"))
    return [_cell(box, row) for row in rows()] + _text_facts(box)


def load_of(row: Row) -> channel.Load:
    """The closed load of one published cell."""
    return channel.Load(row.block_kb * KB, READ_RATIO[row.load], row.tasks, row.volumes, row.aliases + 1)


def _cell(box: channel.Channel, row: Row) -> Check:
    result = channel.predict(box, load_of(row))
    is_rate = row.metric == "io_rate"
    pav = f"{row.aliases} aliases" if row.has_pav else "no PAV"
    return Check(
        study="se700",
        subject=f"{row.load} {row.block_kb} KB, {row.tasks} tasks on {row.volumes} volumes, {pav}",
        unit="per s" if is_rate else "MB/s (2^20)",
        predicted=result.io_rate if is_rate else result.bytes_rate / MB,
        published=row.value,
        role="calibration" if row.is_calibration else "scored",
    )


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
