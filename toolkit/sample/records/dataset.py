"""42.6: interval records of a few jobs, each with a share of the I/O of its volumes and the volumes' times."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import SYNC_READ_US, SYNC_WRITE_US
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.records.frame import Frame

KIND = "42.6"
UNIT_US = 128
# GMT offset is counted in units of 2**20 microseconds
GMT_UNIT_S = 1.048576


def _times(day: Day, system: int, volume: int, interval: int) -> dict[str, int]:
    """Average times in microseconds; response includes IOSQ time."""
    state = day.state
    parts = {
        "Q1U": state.wait_ms[system, volume, interval],
        "P1U": state.pend_ms[volume, interval],
        "D1U": state.disc_ms[volume, interval],
        "C1U": state.conn_ms[volume, interval],
    }
    micros = {name: round(float(value) * 1000) for name, value in parts.items()}
    # S42DSQ1U is queueing in the control unit, which these boxes don't have
    waited = micros.pop("Q1U")
    return {**micros, "R1U": waited + sum(micros.values())}


def statistics(day: Day, system: int, volume: int, interval: int, count: int) -> dict[str, int]:
    """The 42.6 counts and mean times of `count` I/Os to a volume."""
    demand, times = day.state.demand, _times(day, system, volume, interval)
    sequential = round(count * demand.sequential_ratio[volume, interval])
    reads = round(count * demand.read_ratio[volume, interval])
    writes = round((count - reads) * (1 - demand.sequential_ratio[volume, interval]))
    candidates = count - sequential
    hits = round((candidates - writes) * demand.hit_ratio[volume, interval]) + writes
    row = {"ION": count, "CND": candidates, "SHTS": hits, "WCN": writes, "WHI": writes, "SEQ": sequential}
    row |= {"RDT": reads, "HRD": round(reads * 0.8), "HWR": round((count - reads) * 0.8)}
    old = {"R1U": "IOR", "C1U": "IOC", "P1U": "IOP", "D1U": "IOD"}
    row |= times | {old[name]: round(value / UNIT_US) for name, value in times.items()}
    service = times["R1U"] // UNIT_US
    return row | {"MXR": service * 9 + 3, "MXS": service * 7 + 2}


def _synchronous(day: Day, system: int, volume: int, interval: int, share: float) -> list[dict[str, int]]:
    """The job's share of the volume's synchronous I/O; empty if the volume has none."""
    counts = day.devices
    names = {"ROS": "SQR", "WOS": "SQW", "RMS": "SCMR", "WMS": "SNIS"}
    row = {n: int(counts[f][system, volume, interval] * share) for n, f in names.items()}
    if not row["ROS"]:
        return []
    row |= {"RDT": row["ROS"] + row["RMS"], "WDT": row["WOS"] + row["WMS"], "CND": row["ROS"], "HTS": row["ROS"]}
    return [row | {"RDU": SYNC_READ_US, "WTU": SYNC_WRITE_US if row["WOS"] else 0}]


def _data_set(day: Day, system: int, job: NewRow, volser: str, interval: int) -> NewRow | None:
    plex, volume = day.sysplex, day.sysplex.volume(volser)
    count = int(day.devices["SSC"][system, volume, interval] * job["share"])
    if not count:
        return None
    made = statistics(day, system, volume, interval, count)
    reads = made["RDT"]
    block = round(float(day.state.demand.block_bytes[volume, interval]))
    access = {"DRB": reads, "DRR": reads * 12, "DWB": count - reads, "DWR": (count - reads) * 8}
    access |= {"RIB": reads * block, "WIB": (count - reads) * block}
    children = {"data_set_io": [made], "access_method": [access]}
    children["sync_io_1"] = _synchronous(day, system, volume, interval, job["share"])
    names = {"N": f"PROD.{job['name']}.{volser}.DATA", "VOL": volser, "DEV": plex.volumes[volume].device}
    return {**names, "children": children}


def _job(day: Day, job: NewRow, data_sets: list[NewRow]) -> NewRow:
    row = {"JNM": job["name"], "WSC": job["service_class"], "WLD": job["workload"], "RSD": day.sysplex.date}
    return row | {"GMO": round(day.sysplex.utc_offset_s / GMT_UNIT_S), "children": {"data_set_header": data_sets}}


def maker(day: Day, system: int) -> Records:
    """42.6 of one system's jobs, one record per job and interval in which it runs."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    who = plex.systems[system]
    jobs = [j for j in plex.settings["job"] if j["system"] == who.sid]

    def record(job: NewRow, interval: int) -> list[tuple[str, bytes]]:
        hour = interval * plex.interval_s / 3600
        rows = [_data_set(day, system, job, v, interval) for v in job["volumes"]]
        found = [r for r in rows if r]
        if not found or not job["start_hour"] <= hour < job["end_hour"]:
            return []
        product = {"PDL": who.mvs, "PTS": plex.utc(plex.start(interval)), "PTE": plex.utc(plex.start(interval + 1))}
        return [(KIND, frame.record(interval, {"product": [product], "job_header": [_job(day, job, found)]}))]

    return lambda interval: [r for job in jobs for r in record(job, interval)]
