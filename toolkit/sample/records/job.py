"""30: interval records of the jobs that 42.6 shows, with the I/Os of their steps and the EXCPs of each DD."""

from __future__ import annotations

from collections.abc import Callable

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, layout_of, stamp
from iosq.toolkit.sample.records.dataset import UNIT_US

KIND = "30.2"
DASD_CLASS, UCB_3390 = "20", "0F"


def _dd(day: Day, system: int, job: NewRow, number: int, interval: int) -> NewRow:
    """EXCPs of a DD and their connect time: one DD for each volume of the job."""
    volume = day.sysplex.volume(job["volumes"][number])
    count = int(day.devices["SSC"][system, volume, interval] * job["share"])
    block = min(round(float(day.state.demand.block_bytes[volume, interval])), 32_760)
    held = round(count * float(day.state.conn_ms[volume, interval]) * 1000 / UNIT_US)
    kind = {"DEV": DASD_CLASS, "UTP": UCB_3390, "CUA": day.sysplex.volumes[volume].device, "DDN": f"DD{number:02d}"}
    return {f"SMF30{n}": v for n, v in (kind | {"BLK": count, "BSZ": block, "XBS": block, "DCT": held}).items()}


def _activity(day: Day, job: NewRow, dds: list[NewRow], interval: int) -> NewRow:
    """All I/Os of the step, with the times of its volumes."""
    state, times = day.state, {"AIW": 0.0, "AID": 0.0}
    for dd, volser in zip(dds, job["volumes"], strict=True):
        volume = day.sysplex.volume(volser)
        times["AIW"] += dd["SMF30BLK"] * float(state.pend_ms[volume, interval])
        times["AID"] += dd["SMF30BLK"] * float(state.disc_ms[volume, interval])
    blocks, held = sum(dd["SMF30BLK"] for dd in dds), sum(dd["SMF30DCT"] for dd in dds)
    row = {name: round(ms * 1000 / UNIT_US) for name, ms in times.items()}
    row |= {"AIS": blocks, "AIC": held, "TCN": held, "TEP": blocks, "TEX": blocks}
    return {f"SMF30{n}": v for n, v in row.items()}


def maker(day: Day, system: int) -> Callable[[int], list[tuple[str, bytes]]]:
    """Type 30 of one system's jobs, one record per job and interval in which it runs."""
    layout, plex = layout_of(KIND), day.sysplex
    who = plex.systems[system]
    jobs = [j for j in plex.settings["job"] if j["system"] == who.sid]

    def record(number: int, job: NewRow, interval: int) -> bytes:
        dds = [_dd(day, system, job, n, interval) for n in range(len(job["volumes"]))]
        name = {"JBN": job["name"], "PGM": job["name"], "STM": "STEP1", "JNM": f"STC{number:05d}", "STN": 1}
        name |= {"ISS": plex.utc(plex.start(interval)), "IET": plex.utc(plex.start(interval + 1))}
        goal = {"SMF30WLM": job["workload"], "SMF30SCN": job["service_class"]}
        parts = {"identification": [{f"SMF30{n}": v for n, v in name.items()}], "performance": [goal], "excp": dds}
        parts["io_activity"] = [_activity(day, job, dds, interval)]
        header = {**stamp("SMF30", day.written(interval), who.sid), "SMF30WID": "STC"}
        return encode_record(layout, RecordSpec(header, sections=parts))

    def make(interval: int) -> list[tuple[str, bytes]]:
        hour = interval * plex.interval_s / 3600
        running = [(n, j) for n, j in enumerate(jobs, start=1) if j["start_hour"] <= hour < j["end_hour"]]
        return [("30", record(n, j, interval)) for n, j in running]

    return make
