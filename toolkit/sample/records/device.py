"""74.1: one logical record of all disks, split into pieces below 32 KB, and one of the tape drives."""

import numpy as np
from numpy.typing import NDArray

from iosq.parsers.smf.encode import Split
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import samples
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import Ints, generator
from iosq.toolkit.sample.records.frame import Frame, iodf

KIND = "74.1"
# maximum record length of z/OS less room for header, product and control sections
ROOM = 32_000
UCB_TYPE_3390, UCB_TYPE_3490 = "3010200F", "78048081"
ONLINE, FICON, PAV, HYPERPAV, SUPERPAV = 0x01, 0x01, 0x20, 0x02, 0x40
SYNC_CAPABLE = 0x30
UNREADY_INTERVAL, INTERVALS_PER_DAY, STARTS_PER_THROTTLE = 41, 96, 250_000
COUNTED = ("SSC", "MEC", "CNN", "PEN", "ATV", "DIS", "QUE", "UTL", "RSV", "ALC", "NDA", "DVB", "CMR", "IDT", "IOS")
# fmt: off
SYNCHRONOUS = ("SBR", "SBW", "SQR", "SQW", "SPR", "SPW", "SFTR", "SFTW",
               "SLBR", "SLBW", "SCMR", "SNIS", "STOR", "STOW", "SOR", "SOW")
# fmt: on


def _flags(day: Day, system: int) -> tuple[list[int], list[int]]:
    able = "device_data" not in day.sysplex.systems[system].lengths
    hpav = {"none": 0, "static": PAV, "hyper": PAV | HYPERPAV, "super": PAV | HYPERPAV}
    lcus = [day.sysplex.lcus[v.lcu] for v in day.sysplex.volumes]
    second = [(SUPERPAV * (c.pav == "super")) | (SYNC_CAPABLE * (able and c.sync_ratio > 0)) for c in lcus]
    return [FICON | hpav[c.pav] for c in lcus], second


def _static(day: Day, system: int) -> NewRow:
    plex = day.sysplex
    offline = plex.offline(plex.systems[system])
    lcus = [plex.lcus[v.lcu] for v in plex.volumes]
    boxes = [plex.boxes[c.box] for c in lcus]
    cnx, cn2 = _flags(day, system)
    tokens = [f"002107{b.model}IBM75{b.serial[-12:]:>12}".ljust(28).encode("cp037").hex() for b in boxes]
    groups = [c.box + 1 if c.pav == "super" else 0 for c in lcus]
    return {
        "NUM": [v.device for v in plex.volumes],
        "NM2": [v.device for v in plex.volumes],
        "LCU": [c.number for c in lcus],
        "CNF": [0 if v.volser in offline else ONLINE for v in plex.volumes],
        "SER": ["" if v.volser in offline else v.volser for v in plex.volumes],
        "TYP": UCB_TYPE_3390,
        "SGN": [c.storage_group for c in lcus],
        "DEV": "33909",
        "CU": "2107",
        "CNX": cnx,
        "CN2": cn2,
        "DTS": 0x80,
        "DCT": tokens,
        "HPC": [int(day.state.demand.aliases[v.lcu]) for v in plex.volumes],
        "CAP": 30051,
        "AGC": groups,
        "AGS": groups,
    }


def _columns(day: Day, system: int) -> NewRow:
    plex, cycles = day.sysplex, samples(day.state, system)
    columns = _static(day, system)
    columns |= {name: day.devices[name][system].T for name in (*COUNTED, *SYNCHRONOUS)}
    online = np.array(columns["CNF"])
    pav = np.array([plex.lcus[v.lcu].pav for v in plex.volumes])
    shared = np.isin(pav, ("hyper", "super"))
    pooled = cycles + day.devices["aliases_in_use"][system].T
    columns["NUX"] = np.where(shared, pooled, day.state.demand.exposures[None, :]) * online
    columns["CUQ"] = columns["DVB"] // 8
    columns |= _rare(columns["SSC"], pav == "super")
    columns["PSM"] = cycles * (pav != "none") * online
    return columns


def _rare(started: Ints, in_groups: NDArray[np.bool_]) -> NewRow:
    """Occasional events that are not problems, by (interval, volume): the first volume is not ready for some samples in
    one interval, and the throttle briefly delays I/Os to busy volumes of alias groups.
    """
    unready = np.zeros_like(started)
    unready[UNREADY_INTERVAL::INTERVALS_PER_DAY, 0] = 2
    return {"NRD": unready, "ATD": started // STARTS_PER_THROTTLE * in_groups[None, :]}


def _control(day: Day, device_class: str, total: int, following: int, pieces: int) -> NewRow:
    devices = len(day.sysplex.volumes) + len(day.sysplex.settings["drive"])
    row = {"NXT": following, "TOT": total, "GEN": devices, "SUB": device_class, "TSR": pieces if pieces > 1 else 0}
    return row | iodf(day)


def _pieces(total: int, length: int) -> list[slice]:
    step = ROOM // length
    return [slice(i, min(i + step, total)) for i in range(0, total, step)]


def maker(day: Day, system: int) -> Records:
    """74.1 of one system: disks, split where they don't fit one record, and tape drives."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    length = plex.systems[system].lengths.get("device_data", frame.layout.section("device_data").fields.end)
    total = len(plex.volumes)
    rows = frame.many("device_data", _columns(day, system), (plex.intervals, total), length)
    places = _pieces(total, length)

    def piece(interval: int, number: int, place: slice) -> bytes:
        control = _control(day, "0020", total, total - place.stop, len(places))
        totals = {"device_control": 1, "device_data": total}
        firsts = {"device_control": 1, "device_data": place.start + 1}
        split = Split(len(places), number, totals, firsts) if len(places) > 1 else None
        return frame.record(interval, {"device_control": [control], "device_data": rows[interval, place]}, split=split)

    def tapes(interval: int) -> bytes:
        drives = [_drive(day, system, interval, i, drive) for i, drive in enumerate(plex.settings["drive"])]
        parts = {"device_control": [_control(day, "0080", len(drives), 0, 1)], "device_data": drives}
        return frame.record(interval, parts, {"device_data": length})

    def make(interval: int) -> list[tuple[str, bytes]]:
        disks = [piece(interval, i, place) for i, place in enumerate(places, start=1)]
        return [(KIND, data) for data in [*disks, tapes(interval)]]

    return make


def _drive(day: Day, system: int, interval: int, number: int, drive: dict[str, str]) -> NewRow:
    rng = generator(day.seed, f"tape{system}.{interval}.{number}")
    cycles, mounts = samples(day.state, system), int(rng.poisson(1.2))
    blocks = mounts * int(rng.integers(2000, 9000)) if drive["volser"] else 0
    times = {"PEN": blocks * 2, "DIS": blocks // 3, "CNN": blocks * 12}
    counts = {"SSC": blocks, "MEC": blocks, **times, "ATV": sum(times.values())}
    mounting = min(mounts * 40, 600) * cycles // 900
    counts |= {"MTC": mounts, "MTP": mounting, "ALC": min(mounts * 200, 880) * cycles // 900, "NRD": mounting}
    names = {"NUM": drive["device"], "NM2": drive["device"], "LCU": "0001", "SER": drive["volser"]}
    kind = {"CNF": ONLINE, "TYP": UCB_TYPE_3490, "DEV": "3490", "CU": "3490", "DTS": 0x40, "NDN": drive["device"]}
    return counts | names | kind
