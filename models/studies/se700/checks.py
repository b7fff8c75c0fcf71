"""Compares every published SE700 number with the channel model; calibration rows are marked."""

from iosq.models import channel, machine
from iosq.models.studies.check import Check, direction
from iosq.models.studies.se700.published import KB, MB, Row, rows

READ_RATIO = {"read": 1.0, "write": 0.0, "random25": 0.75}


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
