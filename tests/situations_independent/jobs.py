"""42.6: what jobs do with their data sets."""

import datetime as dt

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.toolkit.rows import NewRow
from tests.situations_independent.frame import layout_of, stamp, written
from tests.situations_independent.shop import Job, Moment, Shop, System, Work
from tests.situations_independent.solve import Result, conn_ms, disc_ms, pend_ms

UNIT_US, GMT_UNIT_S = 128, 1.048576


def job_records(shop: Shop, m: Moment, system: System, r: Result) -> list[bytes]:
    """One record per job that does I/O in the interval."""
    found = []
    for job in shop.jobs:
        place = next(i for i, v in enumerate(shop.volumes) if v.volser == job.volser)
        w = r.work[system.sid, place]
        count = round(w.rate * m.seconds * job.share(m))
        if job.system == system.sid and count:
            found.append(_record(shop, m, system, job, w, count))
    return found


def _record(shop: Shop, m: Moment, system: System, job: Job, w: Work, count: int) -> bytes:
    volume = next(v for v in shop.volumes if v.volser == job.volser)
    data_set = {
        "S42DSN": job.data_set, "S42DSTYP": 16, "S42DSFL1": 0x82, "S42DSVOL": job.volser,
        "S42DSDEV": f"{volume.device:04X}", "S42DSSC": "SCSTD", "S42DSBSZ": 4096,
        "children": {"data_set_io": [_statistics(job, w, count)], "access_method": [_moved(job, w, count)]},
    }  # fmt: skip
    row = {
        "S42JDJNM": job.name, "S42JDRST": 600, "S42JDRSD": m.start.date(), "S42JDCOD": 1, "S42JDVER": 5,
        "S42JDGMO": round(system.ahead_s(m) / GMT_UNIT_S), "S42JDWSC": "BATHI", "S42JDWLD": "BATCH",
        "S42JDSTN": "STEP1",
        "children": {"data_set_header": [data_set]},
    }  # fmt: skip
    begin = m.start - dt.timedelta(seconds=system.ahead_s(m))
    times = {"SMF42PTS": begin, "SMF42PTE": begin + dt.timedelta(seconds=m.seconds)}
    product = {"SMF42PDL": "ZV030100", "SMF42PDN": "DFSMS", "SMF42PSV": 1, **times}
    header = {**stamp("SMF42", written(m), system.sid), "SMF42SSI": "STC", "SMF42NT": 2}
    parts = {"product": [product], "job_header": [row]}
    return encode_record(layout_of("42.6"), RecordSpec(header, sections=parts))


def _statistics(job: Job, w: Work, count: int) -> dict[str, int]:
    disc = job.disc_ms if job.disc_ms is not None else disc_ms(w)
    parts = {"P1U": pend_ms(w), "D1U": disc, "C1U": conn_ms(w), "M1U": w.cmr_ms, "B1U": w.held_ms}
    micros = {k: round(x * 1000) for k, x in parts.items()}
    micros["R1U"] = micros["P1U"] + micros["D1U"] + micros["C1U"] + round((w.iosq_ms or 0.0) * 1000)
    sequential, reads = round(count * job.sequential), round(count * job.read)
    candidates, writes = count - sequential, round((count - reads) * (1 - job.sequential))
    row = {"ION": count, "CND": candidates, "SHTS": round((candidates - writes) * job.hit) + writes, "WCN": writes}
    row |= {
        "WHI": writes,
        "SEQ": sequential,
        "RDT": reads,
        "HRD": round(reads * 0.8),
        "HWR": round((count - reads) * 0.8),
    }
    old = {"R1U": "IOR", "C1U": "IOC", "P1U": "IOP", "D1U": "IOD"}
    row |= micros | {short: round(micros[k] / UNIT_US) for k, short in old.items()}
    return {f"S42DS{k}": x for k, x in row.items()} | {"S42DSMXR": row["IOR"] * 8 + 3, "S42DSMXS": row["IOR"] * 6 + 2}


def _moved(job: Job, w: Work, count: int) -> NewRow:
    reads = round(count * job.read)
    row = {"DRB": reads, "DRR": reads * 12, "DWB": count - reads, "DWR": (count - reads) * 8}
    row |= {"RIB": round(reads * w.block), "WIB": round((count - reads) * w.block)}
    return {f"S42AM{k}": x for k, x in row.items()}
