"""74.8: links, extent pools, ranks and arrays of the boxes a system gathers, with counters of the box."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import SYNC_BYTES, SYNC_READ_US, SYNC_WRITE_US, TRANSFER_UNIT_BYTES
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.physics import TRACK_BYTES
from iosq.toolkit.sample.records.cache import synchronous
from iosq.toolkit.sample.records.frame import Frame, spread

Rows = list[NewRow]

KIND = "74.8"
RANKS_PER_POOL, ADAPTERS, COPY_ADAPTERS, SYNC_LINKS = 4, 4, 2, 2
# a box with more volumes has more host adapters, so that the links can carry their load
LCUS_PER_ADAPTERS = 6
# a 3390-27 in extents of 1113 cylinders, of about 1 GB each
EXTENTS_PER_VOLUME = 27
# time to send a track to the secondary and receive the response, ms
COPY_MS = 1.1


def pool_of(box: int, lcu: int) -> int:
    """Extent pool id of an LCU's volumes; each box has two pools."""
    return 2 * box + lcu % 2


def _split(sums: dict[str, int], count: int) -> Rows:
    """`count` rows whose sum is `sums`."""
    parts = {name: spread(total, count) for name, total in sums.items()}
    return [{name: part[i] for name, part in parts.items()} for i in range(count)]


class _Box:
    """One box: its volumes by extent pool, and sums of their cache counters."""

    def __init__(self, day: Day, box: int) -> None:
        self.day, self.box = day, box
        self.lcus = [i for i, c in enumerate(day.sysplex.lcus) if c.box == box]
        self.pools: dict[int, list[int]] = {}
        for lcu in self.lcus:
            self.pools.setdefault(pool_of(box, lcu), []).extend(day.sysplex.members(lcu))
        self.members = [v for volumes in self.pools.values() for v in volumes]
        self.sync = synchronous(day) if any(day.sysplex.lcus[i].sync_ratio for i in self.lcus) else {}

    def sums(self, names: tuple[str, ...], volumes: list[int], interval: int) -> dict[str, int]:
        return {n: int(self.day.cache[n][volumes, interval].sum()) for n in names}

    def ranks(self, interval: int) -> tuple[Rows, Rows]:
        """Ranks and their arrays, with the pool's load spread over its ranks."""
        ranks: Rows = []
        arrays: Rows = []
        for pool, volumes in sorted(self.pools.items()):
            work = self.sums(("PRO", "PWO", "PBR", "PBW", "PRT", "PWT"), volumes, interval)
            names = {"PRO": "ROP", "PWO": "WOP", "PBR": "BYR", "PBW": "BYW", "PRT": "KRT", "PWT": "KWT"}
            for i, part in enumerate(_split(work, RANKS_PER_POOL)):
                number = pool * RANKS_PER_POOL + i
                row = {"RID": number, "PNM": pool, "AIX": len(ranks) + 1, "AI": i // 2}
                ranks.append(row | {names[n]: v for n, v in part.items()})
                arrays.append({"AID": number, "RID": number})
        return ranks, arrays

    def extent_pools(self) -> Rows:
        """Capacities: a third of each pool is free."""
        rows = []
        for pool, volumes in sorted(self.pools.items()):
            used = len(volumes) * EXTENTS_PER_VOLUME
            total = used * 3 // 2
            rows.append({"PID": pool, "RCP": total, "RNS": total, "RNA": used, "VCP": total, "VNS": total})
        return rows

    def links(self, interval: int) -> Rows:
        """Host adapters with the load of hosts, and those that send to the secondary."""
        names = ("DRCR", "DRSR", "DBCR", "DWRC", "DWSR", "CT1", "CT2", "CT3", "CT4", "TSP")
        c = self.sums(names, self.members, interval)
        host = {"ERO": c["DRCR"] + c["DRSR"] + c["DBCR"], "ERB": c["CT1"], "ERT": c["CT3"] * 16}
        host |= {"EWO": c["DWRC"] + c["DWSR"], "EWB": c["CT2"], "EWT": c["CT4"] * 16}
        rows = _split(host, max(ADAPTERS, ADAPTERS * len(self.lcus) // LCUS_PER_ADAPTERS))
        if c["TSP"]:
            moved = c["TSP"] * TRACK_BYTES // TRANSFER_UNIT_BYTES
            rows += _split({"PSO": c["TSP"], "PSB": moved, "PST": int(c["TSP"] * COPY_MS)}, COPY_ADAPTERS)
        return [{"AID": 0x30 + 0x100 * (i // 2) + i % 2} | row for i, row in enumerate(rows)]

    def sync_links(self, interval: int) -> Rows:
        """zHyperLinks: reads from the cache and writes to NVS."""
        if not self.sync:
            return []
        c = {n: int(counts[self.members, interval].sum()) for n, counts in self.sync.items()}
        work = {"CRO": c["SRR"], "CRS": c["SRH"], "CRT": c["SRH"] * SYNC_READ_US // 1000}
        work |= {"NWO": c["SWR"], "NWS": c["SWH"], "NWT": c["SWH"] * SYNC_WRITE_US // 1000}
        work |= {f"{n}B{d}": c[f"S{d}H"] * SYNC_BYTES // TRANSFER_UNIT_BYTES for n, d in (("C", "R"), ("N", "W"))}
        return [{"IID": i} | row for i, row in enumerate(_split(work, SYNC_LINKS))]

    def control(self) -> NewRow:
        plex = self.day.sysplex
        box, first = plex.boxes[self.box], plex.volumes[self.members[0]]
        row = {"MDL": box.model, "SER": box.serial[-10:], "VOL": first.volser, "DEV": first.device}
        return row | {"INT": plex.interval_s}


def maker(day: Day, system: int) -> Records:
    """74.8 of the boxes a system gathers, one record per box."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    who = plex.systems[system].sid
    boxes = [_Box(day, i) for i, b in enumerate(plex.boxes) if who in b.gathered_by]

    def record(box: _Box, interval: int) -> bytes:
        ranks, arrays = box.ranks(interval)
        parts = {"control": [box.control()], "link_statistics": box.links(interval), "rank": ranks, "array": arrays}
        parts |= {"extent_pool": box.extent_pools(), "sync_io_link": box.sync_links(interval)}
        return frame.record(interval, parts)

    return lambda interval: [(KIND, record(box, interval)) for box in boxes]
