"""74.1: disks in pieces below 32 KB, and tape drives."""

from iosq.parsers.smf.encode import RecordSpec, Split, encode_record
from iosq.toolkit.rows import NewRow
from tests.situations_independent.frame import IODF, UNIT_MS, header, layout_of, product, samples
from tests.situations_independent.shop import Moment, Shop, System, Volume
from tests.situations_independent.solve import Result, conn_ms, disc_ms, pend_ms

UCB_3390, UCB_3490 = "3010200F", "78048081"
ONLINE, FICON, PAV, HYPERPAV, SUPERPAV, SYNC_CAPABLE = 0x01, 0x01, 0x20, 0x02, 0x40, 0x30
SYNC_READ_US, SYNC_BYTES = 22, 4096
ALIASES_CHANGED = 0x10
PER_RECORD = 100


def device_records(shop: Shop, m: Moment, system: System, r: Result) -> list[bytes]:
    """All devices of a system's interval."""
    rows = [_disk(shop, m, system, r, i, v) for i, v in enumerate(shop.volumes) if shop.lcus[v.lcu].is_seen_by(system)]
    pieces = [rows[i : i + PER_RECORD] for i in range(0, len(rows), PER_RECORD)]
    made = [_record(m, system, "0020", part, len(rows), n, len(pieces)) for n, part in enumerate(pieces)]
    drives = [_drive(shop, m, system, n) for n in range(shop.drives)]
    return made + ([_record(m, system, "0080", drives, len(drives), 0, 1)] if drives else [])


def _record(m: Moment, system: System, kind: str, rows: list[NewRow], total: int, n: int, pieces: int) -> bytes:
    layout, after = layout_of("74.1"), total - n * PER_RECORD - len(rows)
    control = {"NXT": after, "TOT": total, "GEN": total, "SUB": kind, "ENF": 0xB0, "CFL": 0x30, "LSN": 1, **IODF}
    control["TSR"] = pieces if pieces > 1 else 0
    sections = {"device_control": [{f"SMF74{k}": v for k, v in control.items()}], "device_data": rows}
    totals, firsts = (
        {"device_control": 1, "device_data": total},
        {"device_control": 1, "device_data": n * PER_RECORD + 1},
    )
    split = Split(pieces, n + 1, totals, firsts) if pieces > 1 else None
    return encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), sections, {}, split))


def _disk(shop: Shop, m: Moment, system: System, r: Result, place: int, v: Volume) -> NewRow:
    lcu, w = shop.lcus[v.lcu], r.work[system.sid, place]
    box = shop.boxes[shop.box_of(m, lcu) if shop.box_of else lcu.box]
    pool, cycles = r.pools[system.sid, v.lcu], samples(m, system)
    device = f"{shop.device_of(m, v) if shop.device_of else v.device:04X}"
    shared = lcu.pav in ("hyper", "super")
    cnx = FICON | (0 if lcu.pav == "none" else PAV) | (HYPERPAV if shared else 0)
    inside = w.rate * (pend_ms(w) + disc_ms(w) + conn_ms(w)) / 1000
    busy = cycles + round(cycles * max(0.0, inside - 1 + 2.718**-inside)) if shared else w.exposures
    row = {
        "NUM": device, "NM2": device, "LCU": lcu.number, "CNF": ONLINE if w.online else 0,
        "SER": w.volser if w.online else "", "TYP": UCB_3390, "SGN": f"SG{lcu.prefix}", "DEV": "33909", "CU": "2107",
        "CNX": cnx | (ALIASES_CHANGED if w.alias_moved else 0), "DTS": 0x80, "HPC": pool.aliases, "CAP": 30051,
        "CN2": (SUPERPAV if lcu.pav == "super" else 0) | (SYNC_CAPABLE if w.sync_rate else 0), "NUX": busy,
        "DCT": f"002107{box.model}IBM75{box.serial:>12}".ljust(28).encode("cp037").hex(),
        "AGC": 1 if lcu.pav == "super" else 0, "AGS": 1 if lcu.pav == "super" else 0,
        "PSM": 0 if lcu.pav == "none" else cycles,
    }  # fmt: skip
    return {f"SMF74{k}": value for k, value in (row | (_counts(shop, m, system, r, place) if w.online else {})).items()}


def _counts(shop: Shop, m: Moment, system: System, r: Result, place: int) -> NewRow:
    w, cycles = r.work[system.sid, place], samples(m, system)
    started = int(shop.chance("ssch", m.start, system.sid, place).poisson(w.rate * m.seconds))

    def units(ms: float) -> int:
        return round(started * ms / UNIT_MS)

    pend, disc, conn = units(pend_ms(w)), units(disc_ms(w)), units(conn_ms(w))
    row = {"SSC": started, "MEC": started, "CNN": conn, "PEN": pend, "DIS": disc, "ATV": pend + disc + conn}
    row |= {"CMR": units(w.cmr_ms), "DVB": units(w.held_ms), "IDT": units(0.01), "CUQ": units(0.0)}
    wait = w.iosq_ms or 0.0
    row |= {"IOS": round(started * wait * 1000), "QUE": round(w.rate * wait / 1000 * cycles)}
    row |= {"RSV": round(w.reserved * cycles), "UTL": round(w.reserved * cycles * 0.3)}
    row |= {"ALC": cycles, "NDA": cycles * 3}
    synchronous = round(w.sync_rate * m.seconds)
    row |= {"SQR": synchronous, "SPR": synchronous * SYNC_READ_US * 2, "SBR": synchronous * SYNC_BYTES}
    return row | {"SCMR": round(synchronous * 0.03), "SFTR": round(synchronous * 0.03) * 12}


def _drive(shop: Shop, m: Moment, system: System, n: int) -> NewRow:
    """A tape drive in a backup: mounts, long connects, disconnects while it positions."""
    cycles, blocks = samples(m, system), 40 * m.seconds
    times = {"PEN": blocks * 4, "DIS": blocks * 35, "CNN": blocks * 60}
    row = {"SSC": blocks, "MEC": blocks, **times, "ATV": sum(times.values()), "MTC": 2, "MTP": cycles // 12}
    row |= {"ALC": cycles, "NRD": cycles // 12, "QUE": 0, "CMR": blocks * 2}
    row |= {"NUM": f"{0x0580 + n:04X}", "NM2": f"{0x0580 + n:04X}", "LCU": "0001", "SER": f"T{n:05d}", "CNF": ONLINE}
    row |= {"TYP": UCB_3490, "DEV": "3490", "CU": "3490", "DTS": 0x40, "CNX": FICON, "NDN": f"{0x0580 + n:04X}"}
    return {f"SMF74{k}": value for k, value in row.items()}
