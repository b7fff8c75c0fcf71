"""73, 78.3 and 74.7: channels, queues of LCUs with their aliases, and director ports."""

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.toolkit.rows import NewRow
from tests.situations_independent.frame import IODF, UNIT_MS, header, layout_of, product, samples
from tests.situations_independent.shop import Moment, Shop, System
from tests.situations_independent.solve import Result, conn_ms, disc_ms

OPERATION_MS, LINK_BYTES, UNIT_BYTES = 0.02, 1_600_000_000, 2048
WORK_UNITS, BUS_CYCLES = 1_000_000, 250_000_000
FRAME_BYTES, PACING_MS = 2048, 0.0025


def _traffic(shop: Shop, m: Moment, r: Result, sids: set[str]) -> tuple[float, float, float, float]:
    """Operations, bytes read and written, and ms open per interval on one channel."""
    works = [(s, w) for (s, _), w in r.work.items() if s in sids and w.rate > 0]
    paths = {s.sid: len(s.channels) for s in shop.systems}
    done = [(w.rate * m.seconds / paths[s], w) for s, w in works]
    reads, writes = (sum(n * w.block * (w.read if out else 1 - w.read) for n, w in done) for out in (True, False))
    opened = sum(n * (w.cmr_ms + disc_ms(w) + conn_ms(w)) for n, w in done)
    return sum(n for n, _ in done), reads, writes, opened


def _busy(operations: float, moved: float, seconds: int) -> float:
    return (operations * OPERATION_MS / 1000 + 0.8 * moved / LINK_BYTES) / seconds


def channel_record(shop: Shop, m: Moment, system: System, r: Result) -> bytes:
    """Type 73: channels that the systems share."""
    layout, rows, extended = layout_of("73.1"), [], []
    everyone = {s.sid for s in shop.systems if s.channels == system.channels}
    own, whole = _traffic(shop, m, r, {system.sid}), _traffic(shop, m, r, everyone)
    for channel in system.channels:
        more = shop.channel(m, channel)
        total = min(_busy(whole[0], whole[1] + whole[2], m.seconds) + more.busy, 0.995)
        foreign = more.bytes_rate * m.seconds
        words = {
            "MBC": BUS_CYCLES, "MCU": WORK_UNITS, "MWU": LINK_BYTES // UNIT_BYTES, "MRU": LINK_BYTES // UNIT_BYTES,
            "US": UNIT_BYTES, "PUC": _busy(own[0], own[1] + own[2], m.seconds) * WORK_UNITS * m.seconds,
            "TUC": total * WORK_UNITS * m.seconds, "PRU": own[1] / UNIT_BYTES, "PWU": own[2] / UNIT_BYTES,
            "TRU": (whole[1] + foreign) / UNIT_BYTES, "TWU": (whole[2] + foreign * 0.4) / UNIT_BYTES, "SPD": 160,
            "TBC": (whole[1] + whole[2] + foreign * 1.4) / LINK_BYTES / 2 * BUS_CYCLES,
        }  # fmt: skip
        fixed = {"PID": channel, "FG2": 1, "FG3": 3, "FG4": 2, "FG5": 0xF8, "PTI": m.seconds * 1_000_000 // 1024}
        fixed |= {"CPD": 0x1B, "ACR": "FC_S", "CMG": 2, "EIX": len(rows) + 1}
        rows.append({f"SMF73{k}": round(x) for k, x in words.items()} | {f"SMF73{k}": x for k, x in fixed.items()})
        active, starts = whole[3] / 1000 / m.seconds, round(whole[0])
        mode = "T" if system.zhpf else "O"
        sums = {"EOS": 0, "EOC": 0, "ETS": 0, "ETC": 0}
        sums |= {f"E{mode}S": round(starts * (1 + active)), f"E{mode}C": starts}
        extended.append({"SMF73ECP": channel, **{f"SMF73{k}": x for k, x in sums.items()}})
    control = {f"SMF73{k}": x for k, x in (IODF | {"CFL": 0x34, "SFL": 0x30, "CMI": 2, "CSS": 1}).items()}
    parts = {"control": [control], "channel_data": rows, "extended": extended}
    return encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), parts))


def queuing_record(shop: Shop, m: Moment, system: System, r: Result) -> bytes:
    """78.3: LCUs with paths and alias sections."""
    layout = layout_of("78.3")
    configuration: list[NewRow] = []
    data: list[NewRow] = []
    aliases: list[NewRow] = []
    seen = [(place, lcu) for place, lcu in enumerate(shop.lcus) if lcu.is_seen_by(system)]
    for place, lcu in seen:
        works = [r.work[system.sid, i] for i, v in enumerate(shop.volumes) if v.lcu == place]
        ios = sum(w.rate for w in works) * m.seconds
        configuration.append({
            "R783ID1": lcu.number, "R783NTR": 1, **({"R783AMGC": 1, "R783AMGS": 1} if lcu.pav == "super" else {}),
            "children": {"config_data": _paths(shop, m, system, lcu.number, ios, works)},
        })  # fmt: skip
        pool = r.pools[system.sid, place]
        hyper = lcu.pav in ("hyper", "super")
        if hyper:
            aliases.append({"R783HLCU": lcu.number, "R783HCU": lcu.ssid} | _alias(shop, m, system, place, r))
        row: NewRow = {
            "ID2": lcu.number,
            "DST": 0x02 if hyper else 0,
            "DSTX": 0x80,
            "QCT": ios * 1e-4,
            "QSM": ios * 1.1e-4,
        }
        row |= {"DCTM": sum(w.rate * conn_ms(w) for w in works) * m.seconds / UNIT_MS}
        row |= {"DDTM": sum(w.rate * disc_ms(w) for w in works) * m.seconds / UNIT_MS}
        row |= {"CSST": sum(w.rate * w.css_ms for w in works) * m.seconds / UNIT_MS}
        row |= {"HCNT": 1, "HIX": len(aliases)} if hyper and pool.aliases else {}
        data.append({f"R783{k}": x if isinstance(x, str) else round(x) for k, x in row.items()})
    whole = {"GFLG": 0x06, "GFLX": 0x80, "GNTR": 1, "CFL": 0x38, "CSS": 1, "TOT": len(seen), "NXT": 0, **IODF}
    top = {f"R783{k}": x for k, x in whole.items()} | {"children": {"iop": [_iop(shop, m, system, r)]}}
    parts = {"config_control": configuration, "data": data, "hyperpav": aliases, "global": [top]}
    return encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), parts))


def _paths(shop: Shop, m: Moment, system: System, number: str, ios: float, works: list) -> list[NewRow]:
    """Starts are spread evenly; command response of a path is that of its I/Os and what the path adds."""
    online = [c for c in system.channels if not shop.lost(m, c)]
    count = len(online)
    added = [shop.path_ms(m, c) for c in online]
    response = sum(w.rate * w.cmr_ms for w in works) * m.seconds / count
    rows = []
    for channel, more in zip(online, added, strict=True):
        own = response + ios / count * (more - sum(added) / count)
        busy, busy_ms = shop.cu_busy(m, number)
        row = {"PT": ios / count, "CMR": max(own, 0) / UNIT_MS, "DPB": 0, "SBS": ios / count / 9000}
        row |= {"CUB": ios / count * busy, "CBT": ios / count * busy * busy_ms / UNIT_MS}
        fixed = {"R783CPID": channel, "R783CPST": 0xC0, "R783CUN": 1, "R783CU1": number, "R783CPXF": 0xA0}
        rows.append(fixed | {f"R783{k}": round(x) for k, x in row.items()})
    gone = [
        {"R783CPID": c, "R783CPST": 0x90, "R783CUN": 1, "R783CU1": number} for c in system.channels if c not in online
    ]
    return rows + [row | dict.fromkeys(("R783PT", "R783CMR"), 0) for row in gone]


def _alias(shop: Shop, m: Moment, system: System, place: int, r: Result) -> NewRow:
    pool = r.pools[system.sid, place]
    works = [r.work[system.sid, i] for i, v in enumerate(shop.volumes) if v.lcu == place]
    ios = sum(w.rate for w in works) * m.seconds
    row = {"HTIO": ios, "HNAI": ios * pool.refused, "HAIU": pool.peak, "HCAD": (pool.peak + 1) // 2}
    row["HIOQ"] = pool.queued + 3 * pool.queued**0.5
    return {f"R783{k}": round(x) for k, x in row.items()}


def _iop(shop: Shop, m: Moment, system: System, r: Result) -> NewRow:
    started = sum(w.rate for (s, _), w in r.work.items() if s == system.sid) * m.seconds
    looks = samples(m, system) * 1000
    busy = round(looks * min(started / m.seconds * 0.03 / 1000, 0.9))
    counts = {
        "IQCT": started,
        "IQSM": started * 1.01,
        "IIPB": busy,
        "IIPI": looks - busy,
        "IIFS": started,
        "IPII": started,
    }
    return {"R783IQID": "0000", "R783IFLG": 0x80, **{f"R783{k}": round(x) for k, x in counts.items()}}


def director_record(shop: Shop, m: Moment, system: System, r: Result) -> bytes:
    """74.7: a director between the channels and the boxes."""
    layout = layout_of("74.7")
    everyone = {s.sid for s in shop.systems if s.channels == system.channels}
    _, reads, writes, _ = _traffic(shop, m, r, everyone)
    ports = [
        _port(shop, m, f"{n + 4:02X}", 0x20, reads, writes, {"PCU": f"00{c}", "PCP": c})
        for n, c in enumerate(system.channels)
    ]
    connectors: list[NewRow] = []
    total = len(system.channels)
    for n in range(len(shop.boxes)):
        units = [c.number for c in shop.lcus if c.box == n]
        attached = {"PCU": units[0], "PCUN": len(units), "PNPC": 1, "PXPC": len(connectors) + 1}
        share = total / 2 / len(shop.boxes)
        for k in range(2):
            ports.append(_port(shop, m, f"{20 + 2 * n + k:02X}", 0x40, writes * share, reads * share, attached))
        connectors.append(
            {"R747CNUM": f"{16 + n:02X}", "R747CADR": f"{20 + 2 * n:02X}", "R747CTFL": 0x40, "R747CSFL": 0x10}
        )
        connectors[-1] |= {"R747CCU": units[0], "R747CCUN": len(units)}
    general = {
        "R747GNFD": 1,
        "R747GINM": "SYS1.IODF07",
        "R747GISF": "07",
        "R747GICD": "01/12/2026",
        "R747GICT": "08.30.00",
    }
    switch = {"R747SDEV": "0061", "R747SLSN": "61", "R747SNSP": 64, "R747SNIP": 32}
    parts = {"global": [general], "switch": [switch], "port": ports, "connector": connectors}
    return encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), parts))


def _port(shop: Shop, m: Moment, address: str, kind: int, sent: float, received: float, attached: NewRow) -> NewRow:
    trouble, out = shop.port(m, address), sent / FRAME_BYTES + 1
    counts = {"PNWR": received / 4, "PNWT": sent / 4, "PNFR": received / FRAME_BYTES + 1, "PNFT": out}
    counts |= {"PFPT": out * trouble.pacing_ms / PACING_MS, "PNER": trouble.errors}
    number = f"{int(address, 16) - 4:02X}"
    fixed = {"PNUM": number, "PADR": address, "PTFL": kind, "PSFL": 0x10, "PPFL": 0x88} | attached
    return {f"R747{k}": round(x) for k, x in counts.items()} | {f"R747{k}": x for k, x in fixed.items()}
