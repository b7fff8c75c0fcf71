"""The what-if panel: the curve over aliases with its interval, and the load on another machine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import iosq
from iosq.simulate import Given, Wish
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict.given import CLOSED
from iosq.toolkit.predict.lake import VOLUMES
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.numbers import human_number, interval, plural
from iosq.toolkit.show.theme import Drawing, finished

MEASURED = "as measured"
COUNTS = ("pool_aliases", "aliases")
GROWTHS = (0.5, 0.75, 1.0, 1.25, 1.5, 2.0, 2.5, 3.0)
RESPONSE = ("response_ms", "response_low_ms", "response_high_ms")


def machines() -> list[str]:
    """The machines of the kind box."""
    return [str(row["machine"]) for row in iosq.machines().rows if row["kind"] == "box"]


def targets(lake: iosq.Lake) -> list[str]:
    """Possible targets of a migration: machines, and all boxes of the lake."""
    whole = iosq.open(lake.path)
    return [*machines(), *whole.sql("SELECT DISTINCT box FROM box_interval ORDER BY box")["box"]]


def pav(lake: iosq.Lake, volume: str, most: int, machine: str) -> iosq.Answer:
    """The result of `iosq simulate pav` for counts up to `most`, in the measured box or on a machine."""
    given = None if machine == MEASURED else Given(machine)
    return lake.simulate.pav(volume, aliases=most, given=given)


def migrate(lake: iosq.Lake, target: str, growth: float) -> iosq.Answer:
    """The result of `iosq simulate migrate`."""
    return lake.simulate.migrate(Wish(target, growth))


def over_growth(lake: iosq.Lake, target: str, boxes: int | None) -> list[NewRow]:
    """The response by growth of the load, on the fullest of `boxes` up to their capacity, or in the lake's box."""
    found: list[NewRow] = []
    for growth in GROWTHS:
        try:
            answer = lake.simulate.migrate(Wish(target, growth, boxes=boxes))
        except RequestError:  # more than the boxes can carry
            break
        found.append({"growth": growth} | {name: answer.common[f"box_{name}"] for name in RESPONSE})
    return found


def growth_curve(rows: Sequence[Row]) -> Drawing | str:
    """The chart of response by growth with its interval, or a sentence that says why there is none."""
    known = [row for row in rows if row["response_ms"] is not None]
    if len(known) < 2:
        return "These boxes carry no growth, so there is no curve."
    is_open = any(row["response_high_ms"] is None for row in known)
    note = (
        "The interval has no upper end where no band is: the load may be more than the boxes carry." if is_open else ""
    )
    drawn = banded(known, RESPONSE, "response, ms", x=alt.X("growth:Q", title="times the measured load"))
    return finished(drawn, "Response of the fullest box by growth of the load", note)


def sql(lake: iosq.Lake) -> str:
    """The SQL of the measurements that are the models' input."""
    platform = str(lake.sql("SELECT max(platform) FROM measured_span").item())
    return VOLUMES.spelled(platform=platform, **(CLOSED | dict(lake.thresholds.get("closed_load", {}))))


def counted(answer: iosq.Answer) -> str:
    """The column with the number of aliases."""
    return next(name for name in COUNTS if name in answer.rows[0])


def counts(answer: iosq.Answer) -> list[int]:
    """The numbers of aliases of a curve."""
    return [int(row[counted(answer)]) for row in answer.rows]


def today(answer: iosq.Answer) -> int:
    """The current number of aliases, or the smallest one of the curve."""
    return next((int(row[counted(answer)]) for row in answer.rows if row["now"]), counts(answer)[0])


def chosen(answer: iosq.Answer, count: int) -> list[str]:
    """Sentences about the chosen and the current number of aliases."""
    name = counted(answer)
    rows = {int(row[name]): row for row in answer.rows}
    asked = [rows.get(count), *(row for row in answer.rows if row["now"])]
    return list(dict.fromkeys(line for row in asked for line in _line(row, name)))


def _line(row: Row | None, name: str) -> Iterator[str]:
    if row is None:
        return
    kind = name.removesuffix("es").replace("_", " ")
    aliases = f"{plural(row[name], kind, f'{kind}es')}{' (now)' if row['now'] else ''}"
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
