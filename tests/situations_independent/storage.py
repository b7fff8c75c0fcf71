"""74.5 and 74.8: what the boxes count, whoever asked them."""

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.toolkit.rows import NewRow
from tests.situations_independent.frame import TRACK_BYTES, TRANSFER_BYTES, header, layout_of, product
from tests.situations_independent.shop import Lcu, Moment, Shop, System, Volume
from tests.situations_independent.solve import Result, conn_ms, missed

TRACKS_PER_WRITE, RAID5_WRITE = 0.45, 1.6
HOST_VALID, SYNC_VALID, EXTENT_POOL, CKD = 0x09, 0x10, 2, 0x84
FIBRE_8_GB, ADAPTERS = 5, 4
SSD = 0xC0


def cache_records(shop: Shop, m: Moment, system: System, r: Result) -> list[bytes]:
    """One record per subsystem that the system gathers."""
    found = []
    layout = layout_of("74.5")
    for place, lcu in enumerate(shop.lcus):
        box = shop.boxes[shop.box_of(m, lcu) if shop.box_of else lcu.box]
        if box.gathered_by != system.sid:
            continue
        members = [(i, v) for i, v in enumerate(shop.volumes) if v.lcu == place]
        control = {
            "R745CLVL": 4, "R745CMDL": 1, "R745CCNT": 1, "R745CINT": m.seconds, "NEDTYPEN": "002107",
            "NEDMODN": box.model, "NEDMANUF": "IBM", "NEDPMANU": "75", "NEDSEQN": box.serial,
        }  # fmt: skip
        first = members[0][1]
        status = {
            "R745SVOL": first.volser, "R745SDEV": f"{first.device:04X}", "R745SLN": 44, "R745SFT": 1,
            "R745SNAD": len(members), "R745SNSS": len(members), "R745SCNF": box.cache_gb << 20,
            "R745SAVL": box.cache_gb << 20, "R745SCNV": box.nvs_gb << 20, "R745SSID": lcu.ssid,
            "R745SPND": round(shop.pinned_share(m, lcu) * (box.nvs_gb << 20)),
        }  # fmt: skip
        volsers = {v.volser: r.work[system.sid, i].volser for i, v in members}
        counted = [(v, _counted(shop, m, r, i)) for i, v in members]
        parts = {"cache_control": [control], "cache_status": [status]}
        parts["cache_device"] = [
            _cached(shop, m, lcu.ssid, v, c) | {"R745DVOL": volsers[v.volser]} | _status(shop, m, lcu)
            for v, c in counted
        ]
        parts["raid_extent_pool"] = [_pooled(shop, m, v, c) for v, c in counted]
        found.append(encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), parts)))
    return found


def _status(shop: Shop, m: Moment, lcu: Lcu) -> NewRow:
    """R745DVS1: caching deactivated where bits 0 and 1 are set, and its pair suspended where 6 and 7 are."""
    suspended = 0x03 if lcu.mirrored and not shop.mirrors(m, lcu) else 0
    return {"R745DVS1": (0xC0 if shop.uncached(m, lcu) else 0) | suspended}


def _counted(shop: Shop, m: Moment, r: Result, place: int) -> dict[str, float]:
    """Sums over all systems, read or not."""
    c = dict.fromkeys(
        ("CR", "SR", "CH", "SH", "CW", "SW", "held", "bytes_in", "bytes_out", "host", "sync", "sent"), 0.0
    )
    c |= {"miss_ms": 4.0, "wait_ms": 0.0, "copy_ms": 0.0, "wrote_ms": 0.0}
    for w in r.of_volume(place):
        ios = w.rate * m.seconds
        reads, writes = ios * w.read, ios * (1 - w.read)
        c["CR"] += reads * (1 - w.sequential)
        c["SR"] += reads * w.sequential
        c["CH"] += reads * (1 - w.sequential) * w.hit
        c["SH"] += reads * (w.sequential - min(w.sequential, missed(w) - (1 - w.sequential) * (1 - w.hit)))
        c["CW"] += writes * (1 - w.sequential)
        c["SW"] += writes * w.sequential
        c["held"] += writes * w.nvs_ratio
        c["bytes_out"] += reads * w.block
        c["bytes_in"] += writes * w.block
        c["host"] += reads * (conn_ms(w) + 0.1 + missed(w) * w.miss_ms)
        c["wrote_ms"] += writes * (conn_ms(w) + 0.1 + w.nvs_ratio * w.nvs_ms + w.copy_ms)
        c["sync"] += w.sync_rate * m.seconds
        c["miss_ms"] = w.miss_ms
        c["copy_ms"] = max(c["copy_ms"], w.copy_ms)
    tracks = c["CW"] * TRACKS_PER_WRITE + c["SW"] * c["bytes_in"] / max(c["CW"] + c["SW"], 1) / TRACK_BYTES
    c["tracks"], c["staged"] = tracks, c["CR"] - c["CH"]
    c["ahead"] = c["SR"] * c["bytes_out"] / max(c["CR"] + c["SR"], 1) / TRACK_BYTES
    c["sent"] = tracks if shop.mirrors(m, shop.lcus[shop.volumes[place].lcu]) else 0.0
    return c


def _device(shop: Shop, m: Moment, v: Volume) -> int:
    return shop.device_of(m, v) if shop.device_of else v.device


def _cached(shop: Shop, m: Moment, ssid: str, v: Volume, c: dict[str, float]) -> NewRow:
    device = _device(shop, m, v)
    writes, held = c["CW"] + c["SW"], c["held"]
    share = c["SW"] / writes if writes else 0.0
    counts = {
        "DRCR": c["CR"], "DCRH": c["CH"], "DRSR": c["SR"], "DRSH": c["SH"], "DWRC": c["CW"], "DWSR": c["SW"],
        "DWCH": c["CW"] - held * (1 - share), "DWSH": c["SW"] - held * share, "DFWC": c["CW"], "DFWS": c["SW"],
        "DFWB": held, "DTC": c["ahead"], "DNTD": c["staged"], "DCTD": c["tracks"],
    }  # fmt: skip
    named = {"DVOL": v.volser, "DEVN": f"{device:04X}", "DUNT": f"00{device:04X}", "DVID": device & 0xFF}
    named |= {"DFL4": 0x80, "DFLG": 0x11, "DSID": ssid}
    return {f"R745{k}": round(x) for k, x in counts.items()} | {f"R745{k}": x for k, x in named.items()}


def _pooled(shop: Shop, m: Moment, v: Volume, c: dict[str, float]) -> NewRow:
    reads, writes = c["staged"] + c["ahead"] / 8, c["tracks"] / 4
    host = {
        "TSP": c["sent"], "NVS": c["CW"] + c["SW"], "CT1": c["bytes_out"] / TRANSFER_BYTES, "SRR": c["sync"] * 1.03,
        "CT2": c["bytes_in"] / TRANSFER_BYTES, "CT3": c["host"] / 16, "CT4": c["wrote_ms"] / 16, "SRH": c["sync"],
        "CT5": c["CR"] + c["SR"], "CT6": c["CW"] + c["SW"],
    }  # fmt: skip
    disks = {
        "PRO": reads, "PWO": writes, "PBR": (c["staged"] * 0.3 + c["ahead"]) * TRACK_BYTES / TRANSFER_BYTES,
        "PBW": c["tracks"] * 0.7 * TRACK_BYTES / TRANSFER_BYTES, "PRT": reads * c["miss_ms"] / 16,
        "PWT": writes * c["miss_ms"] * RAID5_WRITE / 16,
    }  # fmt: skip
    fixed = {"R7451DVN": f"{_device(shop, m, v):04X}", "R7451INC": HOST_VALID | (SYNC_VALID if c["sync"] else 0)}
    fixed |= {"R7451FLG": EXTENT_POOL, "R7452XID": v.lcu, "R7452XTY": CKD}
    counted = {f"R7451{k}": round(x) for k, x in host.items()} | {f"R7452{k}": round(x) for k, x in disks.items()}
    return fixed | counted


def box_records(shop: Shop, m: Moment, system: System, r: Result) -> list[bytes]:
    """74.8 of every box the system gathers; an extent pool per LCU."""
    layout, found = layout_of("74.8"), []
    for n, box in enumerate(shop.boxes):
        lcus = [i for i, c in enumerate(shop.lcus) if (shop.box_of(m, c) if shop.box_of else c.box) == n]
        if box.gathered_by != system.sid or not lcus:
            continue
        first = shop.members(lcus[0])[0]
        sums = {p: [_counted(shop, m, r, i) for i, v in enumerate(shop.volumes) if v.lcu == p] for p in lcus}
        control = {"LVL": 4, "TYP": "002107", "MDL": box.model, "SER": box.serial[-10:], "VSN": 1, "FLG": 0x80}
        control |= {"VOL": first.volser, "DEV": f"{first.device:04X}", "INT": m.seconds}
        ranks = [row for p in lcus for row in _ranks(shop, m, p, sums[p], box.ranks)]
        parts: dict[str, list[NewRow]] = {"control": [{f"R748C{k}": x for k, x in control.items()}]}
        parts["rank"] = [row | {"R748RAIX": i + 1} for i, row in enumerate(ranks)]
        parts["array"] = [_array(row, flash=box.miss_ms < 1) for row in ranks]
        parts["extent_pool"] = [_extents(p, len(sums[p])) for p in lcus]
        parts["link_statistics"] = _links([c for counted in sums.values() for c in counted])
        found.append(encode_record(layout, RecordSpec(header(layout, m, system), product(layout, m, system), parts)))
    return found


def _ranks(shop: Shop, m: Moment, pool: int, counted: list[dict[str, float]], count: int) -> list[NewRow]:
    shares = [shop.rank_share(m, pool, n) for n in range(count)]
    rows = []
    for n, share in enumerate(shares):
        part = share / sum(shares)
        reads = sum(c["staged"] + c["ahead"] / 8 for c in counted) * part
        writes = sum(c["tracks"] / 4 for c in counted) * part
        spent = sum((c["staged"] + c["ahead"] / 8) * c["miss_ms"] for c in counted) * part
        read_ms = spent / reads if reads else 0.0
        row = {
            "RID": pool * 32 + n, "PNM": pool, "CNT": 1, "TQ": 1, "AI": n // 2, "ROP": reads, "WOP": writes,
            "KRT": reads * read_ms / 16, "KWT": writes * read_ms * RAID5_WRITE / 16,
            "BYR": sum(c["staged"] * 0.3 + c["ahead"] for c in counted) * part * TRACK_BYTES / TRANSFER_BYTES,
            "BYW": sum(c["tracks"] for c in counted) * 0.7 * part * TRACK_BYTES / TRANSFER_BYTES,
        }  # fmt: skip
        rows.append({f"R748R{k}": round(x) for k, x in row.items()})
    return rows


def _array(rank: NewRow, *, flash: bool) -> NewRow:
    row = {"AID": rank["R748RRID"], "RID": rank["R748RRID"], "EBC": "RAID-5", "TYP": 1, "AWD": 8, "ACP": 600}
    row |= {"AST": SSD} if flash else {"ASP": 10}
    return {f"R748A{k}": x for k, x in row.items()}


def _extents(pool: int, volumes: int) -> NewRow:
    total = volumes * 40
    row = {"PID": pool, "PLT": CKD, "RCP": total, "RNS": total, "RNA": volumes * 27, "VCP": total, "VNS": total}
    return {f"R748X{k}": x for k, x in row.items()}


def _links(counted: list[dict[str, float]]) -> list[NewRow]:
    def total(*names: str) -> float:
        return sum(c[n] for c in counted for n in names)

    host = {"ERO": total("CR", "SR"), "ERB": total("bytes_out") / TRANSFER_BYTES, "ERT": total("host")}
    host |= {"EWO": total("CW", "SW"), "EWB": total("bytes_in") / TRANSFER_BYTES, "EWT": total("wrote_ms")}
    rows = [{k: round(x / ADAPTERS) for k, x in host.items()} for _ in range(ADAPTERS)]
    if sent := total("sent"):
        took = max(c["copy_ms"] for c in counted)
        copied = {"PSO": sent, "PSB": sent * TRACK_BYTES / TRANSFER_BYTES / 4, "PST": sent * max(took, 0.5)}
        rows += [{k: round(x / 2) for k, x in copied.items()} for _ in range(2)]
    places = [{"AID": 0x30 + 0x100 * (n // 2) + n % 2, "TYP": FIBRE_8_GB} for n in range(len(rows))]
    return [{f"R748L{k}": x for k, x in (p | row).items()} for p, row in zip(places, rows, strict=True)]
