"""74.5: one record per SSID from every system that gathers the box; the counters are the box's, not the system's."""

from __future__ import annotations

from collections.abc import Callable

from iosq.parsers.smf.encode import RecordSpec
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.bulk import Bytes, sections
from iosq.toolkit.sample.day import Day, Frame, layout_of
from iosq.toolkit.sample.demand import Ints
from iosq.toolkit.sample.records.patch import filled

KIND = "74.5"
# fmt: off
DEVICE_FIELDS = ("DRCR", "DCRH", "DWRC", "DWCH", "DRSR", "DRSH", "DWSR", "DWSH",
                 "DTC", "DNTD", "DCTD", "DFWB", "DFWC", "DFWS", "DBCR")
# fmt: on
HOST_FIELDS = ("TSP", "XSF", "XCW", "GSF", "GSS", "NVS", "CT1", "CT2", "CT3", "CT4", "CT5", "CT6")
DISK_FIELDS = ("PRO", "PWO", "PBR", "PBW", "PRT", "PWT")
SIZES_IN_KB = 1
EXTENT_POOL, CKD = 2, 0x84
# performance data of a DS8000 in its own format
DATA_FORMAT = 0x11
HOST_TRANSFERS_VALID, SYNC_VALID = 0x09, 0x10


def _control(day: Day, lcu: int) -> NewRow:
    box = day.sysplex.boxes[day.sysplex.lcus[lcu].box]
    return {
        "R745CLVL": 4,
        "R745CMDL": 1,
        "R745CCNT": 1,
        "R745CINT": day.sysplex.interval_s,
        "NEDTYPEN": "002107",
        "NEDMODN": box.model,
        "NEDMANUF": "IBM",
        "NEDPMANU": "75",
        "NEDSEQN": box.serial[-12:],
    }


def _status(day: Day, lcu: int) -> NewRow:
    plex = day.sysplex
    one, members = plex.lcus[lcu], plex.members(lcu)
    box, first = plex.boxes[one.box], plex.volumes[members[0]]
    return {
        "R745SVOL": first.volser,
        "R745SDEV": first.device,
        "R745SLN": 44,
        "R745SFT": SIZES_IN_KB,
        "R745SNAD": len(members),
        "R745SNSS": len(members),
        "R745SCNF": box.cache_mb * 1024,
        "R745SAVL": box.cache_mb * 1000,
        "R745SCNV": box.nvs_mb * 1024,
        "R745SSID": one.ssid,
    }


def _device_rows(day: Day, lcu: int, length: int) -> Bytes:
    members, plex = day.sysplex.members(lcu), day.sysplex
    columns: NewRow = {
        "R745DVOL": [plex.volumes[i].volser for i in members],
        "R745DEVN": [plex.volumes[i].device for i in members],
        "R745DUNT": [f"00{plex.volumes[i].device}" for i in members],
        "R745DVID": [int(plex.volumes[i].device[2:], 16) for i in members],
        "R745DFL4": 0x80,
        "R745DFLG": DATA_FORMAT,
        "R745DSID": plex.lcus[lcu].ssid,
    }
    columns |= {f"R745{name}": day.cache[name][members].T for name in DEVICE_FIELDS}
    fields = layout_of(KIND).section("cache_device").fields
    return sections(fields, columns, (plex.intervals, len(members)), length)


def _pool_rows(day: Day, lcu: int, length: int) -> Bytes:
    members, plex = day.sysplex.members(lcu), day.sysplex
    columns: NewRow = {
        "R7451DVN": [plex.volumes[i].device for i in members],
        "R7451INC": HOST_TRANSFERS_VALID | (SYNC_VALID if plex.lcus[lcu].sync_ratio else 0),
        "R7451FLG": EXTENT_POOL,
        "R7452XID": 2 * plex.lcus[lcu].box + lcu % 2,
        "R7452XTY": CKD,
    }
    columns |= {f"R7451{name}": day.cache[name][members].T for name in HOST_FIELDS}
    columns |= {f"R7452{name}": day.cache[name][members].T for name in DISK_FIELDS}
    columns |= {f"R7451{name}": count[members].T for name, count in synchronous(day).items()}
    fields = layout_of(KIND).section("raid_extent_pool").fields
    return sections(fields, columns, (plex.intervals, len(members)), length)


def synchronous(day: Day) -> dict[str, Ints]:
    """Synchronous requests and hits of all systems, (volume, interval): the box counts what reached its cache."""
    total = {name: day.devices[name].sum(axis=0) for name in ("SQR", "SCMR", "SQW", "SNIS")}
    reads, writes = total["SQR"], total["SQW"]
    return {"SRR": reads + total["SCMR"], "SRH": reads, "SWR": writes + total["SNIS"], "SWH": writes}


def maker(day: Day, system: int) -> Callable[[int], list[tuple[str, bytes]]]:
    """74.5 of the boxes a system gathers."""
    layout, frame, plex = layout_of(KIND), Frame(day, system), day.sysplex
    who = plex.systems[system]
    gathered = [i for i, c in enumerate(plex.lcus) if who.sid in plex.boxes[c.box].gathered_by]
    pool_length = who.lengths.get("raid_extent_pool", layout.section("raid_extent_pool").length)
    devices = {i: _device_rows(day, i, layout.section("cache_device").length) for i in gathered}
    pools = {i: _pool_rows(day, i, pool_length) for i in gathered}

    def make(interval: int) -> list[tuple[str, bytes]]:
        found = []
        for i in gathered:
            parts = {"cache_control": [_control(day, i)], "cache_status": [_status(day, i)]}
            spec = RecordSpec(frame.header(layout, interval), frame.product(layout, interval), parts)
            many = {"cache_device": devices[i][interval], "raid_extent_pool": pools[i][interval]}
            found.append((KIND, filled(layout, spec, many)))
        return found

    return make
