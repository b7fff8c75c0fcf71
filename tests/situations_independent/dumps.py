"""A shop's records as dumps, one file per system that is read."""

from collections.abc import Iterator
from pathlib import Path

from tests.situations_independent.devices import device_records
from tests.situations_independent.jobs import job_records
from tests.situations_independent.paths import channel_record, director_record, queuing_record
from tests.situations_independent.shop import Moment, Shop, System
from tests.situations_independent.solve import solve
from tests.situations_independent.storage import box_records, cache_records


def write(shop: Shop, folder: Path, damage: dict[str, int] | None = None) -> list[Path]:
    """Write the dumps; `damage`: of a kind of record every so-many-th is cut off in its middle."""
    files = []
    for system in (s for s in shop.systems if s.read):
        files.append(folder / f"{system.sid.lower()}.smf")
        made = [record for m in shop.moments(system) for record in records(shop, m, system)]
        files[-1].write_bytes(b"".join(damaged(made, damage or {})))
    return files


def records(shop: Shop, m: Moment, system: System) -> Iterator[tuple[str, bytes]]:
    """One interval's records of a system, without the types not collected."""
    r = solve(shop, m)
    made = [("73", [channel_record(shop, m, system, r)]), ("74.1", device_records(shop, m, system, r))]
    made += [("74.5", cache_records(shop, m, system, r)), ("74.8", box_records(shop, m, system, r))]
    made += [("78.3", [queuing_record(shop, m, system, r)]), ("42.6", job_records(shop, m, system, r))]
    if shop.director and system == shop.systems[0]:
        made.append(("74.7", [director_record(shop, m, system, r)]))
    for kind, found in made:
        yield from ((kind, data) for data in found if kind not in shop.lacks)


def damaged(made: list[tuple[str, bytes]], damage: dict[str, int]) -> Iterator[bytes]:
    """The records; of those that a fault hit, bytes in the middle are overwritten and the length stays."""
    seen: dict[str, int] = {}
    for kind, data in made:
        seen[kind] = seen.get(kind, 0) + 1
        every = damage.get(kind, 0)
        if every and seen[kind] % every == 0:
            middle = len(data) // 2
            data = data[:middle] + b"\xff" * 400 + data[middle + 400 :]
        yield data
