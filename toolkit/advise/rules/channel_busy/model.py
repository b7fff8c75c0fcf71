"""Systems that fill the same channels at the same time."""

from collections.abc import Iterator, Mapping

from iosq.toolkit.advise.finding import Known
from iosq.toolkit.rows import Row


def modelled(rows: list[Row], limits: Mapping[str, float], known: Known) -> Iterator[Row]:
    """The rows with the systems that have saturated channels of these names, and their largest common share."""
    full = [r for r in rows if r["own_ratio"] is not None]
    for r in rows:
        shares = {o["system"]: o["own_ratio"] for o in full if _meet(r, o)}
        yield {**r, "sharers": "|".join(sorted(shares)), "shared_ratio": min(sum(shares.values()), 1.0)}


def _meet(one: Row, other: Row) -> bool:
    """True if they name a channel at the same time."""
    return bool(
        set(one["channels"].split("|")) & set(other["channels"].split("|"))
        and other["window_start"] < one["window_end"]
        and other["window_end"] > one["window_start"]
    )
