"""What if: the curve over aliases with its interval, and the load on another machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import iosq
from iosq.simulate import Given, Wish
from iosq.toolkit.predict.lake import VOLUMES
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import human_number, interval

if TYPE_CHECKING:
    from iosq.types import Answer

MEASURED = "as measured"
COUNTS = ("pool_aliases", "aliases")


def machines() -> list[str]:
    """The machines that can be a box."""
    return [str(row["machine"]) for row in iosq.machines().rows if row["kind"] == "box"]


def pav(lake: iosq.Lake, volume: str, most: int, machine: str) -> Answer:
    """The answer of `iosq simulate pav` for counts up to `most`; in a box as measured, or on a machine."""
    given = None if machine == MEASURED else Given(machine)
    return lake.simulate.pav(volume, aliases=most, given=given)


def migrate(lake: iosq.Lake, machine: str, growth: float) -> Answer:
    """The answer of `iosq simulate migrate`."""
    return lake.simulate.migrate(Wish(machine, growth))


def sql() -> str:
    """The statement with the measurements that the models are fed with."""
    return VOLUMES.sql


def counted(answer: Answer) -> str:
    """The column with the number of aliases."""
    return next(name for name in COUNTS if name in answer.rows[0])


def chosen(answer: Answer, count: int) -> list[str]:
    """Sentences about one number of aliases, and today's."""
    name = counted(answer)
    rows = {int(row[name]): row for row in answer.rows}
    now = [row for row in answer.rows if row["now"]]
    return [*_line(rows.get(count), name), *(line for row in now for line in _line(row, name))]


def _line(row: Row | None, name: str) -> Iterator[str]:
    if row is None:
        return
    aliases = f"{row[name]} {name.replace('_', ' ')}{' (now)' if row['now'] else ''}"
    low, high, value = row["response_low_ms"], row["response_high_ms"], row["response_ms"]
    if not row["stable"]:
        yield f"{aliases}: more arrives than can be served"
    elif value is None or not row["identifiable"]:
        ends = (
            f": between {human_number(low)} and {human_number(high)} ms" if low is not None and high is not None else ""
        )
        yield f"{aliases}: response not identifiable{ends}"
    else:
        yield f"{aliases}: response {interval(value, low, high, 'ms')}, of it IOSQ {human_number(row['wait_ms'])} ms"
