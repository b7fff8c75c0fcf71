"""The published cells of the SE700 channel.

Twelve rows calibrate: reads and writes only, no PAV, blocks of 4, 32 and 480 KB.
"""

from dataclasses import dataclass

from iosq.toolkit.rows import csv_rows

KB = 1024.0
MB = 1024.0**2  # 23,700 x 4 KB is printed as 92 MB/s: a megabyte is 2^20 bytes in this source


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
