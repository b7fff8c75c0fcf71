"""74.5: one record per SSID from every system that gathers the box, with counters of the box for all systems."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.bulk import Bytes
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import Ints
from iosq.toolkit.sample.records.frame import Frame

KIND = "74.5"
# fmt: off
DEVICE_FIELDS = ("DRCR", "DCRH", "DWRC", "DWCH", "DRSR", "DRSH", "DWSR", "DWSH",
                 "DTC", "DNTD", "DCTD", "DFWB", "DFWC", "DFWS", "DBCR")
# fmt: on
HOST_FIELDS = ("TSP", "XSF", "XCW", "GSF", "GSS", "NVS", "CT1", "CT2", "CT3", "CT4", "CT5", "CT6")
DISK_FIELDS = ("PRO", "PWO", "PBR", "PBW", "PRT", "PWT")
HOST_TRANSFERS_VALID, SYNC_VALID = 0x09, 0x10


def _status(day: Day, lcu: int) -> NewRow:
    plex = day.sysplex
    one, members = plex.lcus[lcu], plex.members(lcu)
    box, first = plex.boxes[one.box], plex.volumes[members[0]]
    row = {"SVOL": first.volser, "SDEV": first.device, "SNAD": len(members), "SNSS": len(members), "SSID": one.ssid}
    return row | {"SCNF": box.cache_mb * 1024, "SAVL": box.cache_mb * 1000, "SCNV": box.nvs_mb * 1024}


def _device_rows(frame: Frame, day: Day, lcu: int) -> Bytes:
    members, plex = day.sysplex.members(lcu), day.sysplex
    numbers = [plex.volumes[i].device for i in members]
    columns: NewRow = {"DVOL": [plex.volumes[i].volser for i in members], "DEVN": numbers}
    columns |= {"DUNT": [f"00{n}" for n in numbers], "DVID": [int(n[2:], 16) for n in numbers]}
    columns |= {"DSID": plex.lcus[lcu].ssid} | {name: day.cache[name][members].T for name in DEVICE_FIELDS}
    return frame.many("cache_device", columns, (plex.intervals, len(members)))


def _pool_rows(frame: Frame, day: Day, lcu: int, length: int) -> Bytes:
    members, plex = day.sysplex.members(lcu), day.sysplex
    columns: NewRow = {
        "DVN": [plex.volumes[i].device for i in members],
        "INC": HOST_TRANSFERS_VALID | (SYNC_VALID if plex.lcus[lcu].sync_ratio else 0),
        "R7452XID": 2 * plex.lcus[lcu].box + lcu % 2,
    }
    columns |= {name: day.cache[name][members].T for name in HOST_FIELDS}
    columns |= {f"R7452{name}": day.cache[name][members].T for name in DISK_FIELDS}
    columns |= {name: count[members].T for name, count in synchronous(day).items()}
    return frame.many("raid_extent_pool", columns, (plex.intervals, len(members)), length)


def synchronous(day: Day) -> dict[str, Ints]:
    """Synchronous requests and hits of all systems, (volume, interval): those that reached the box's cache."""
    total = {name: day.devices[name].sum(axis=0) for name in ("SQR", "SCMR", "SQW", "SNIS")}
    reads, writes = total["SQR"], total["SQW"]
    return {"SRR": reads + total["SCMR"], "SRH": reads, "SWR": writes + total["SNIS"], "SWH": writes}


def maker(day: Day, system: int) -> Records:
    """74.5 of the boxes a system gathers."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    who = plex.systems[system]
    gathered = [i for i, c in enumerate(plex.lcus) if who.sid in plex.boxes[c.box].gathered_by]
    devices = {i: _device_rows(frame, day, i) for i in gathered}
    pools = {i: _pool_rows(frame, day, i, who.lengths.get("raid_extent_pool", 0)) for i in gathered}

    def record(interval: int, lcu: int) -> bytes:
        box = plex.boxes[plex.lcus[lcu].box]
        control = {"CINT": plex.interval_s, "NEDMODN": box.model, "NEDSEQN": box.serial[-12:]}
        rows = {"cache_device": devices[lcu][interval], "raid_extent_pool": pools[lcu][interval]}
        return frame.record(interval, {"cache_control": [control], "cache_status": [_status(day, lcu)], **rows})

    return lambda interval: [(KIND, record(interval, i)) for i in gathered]
