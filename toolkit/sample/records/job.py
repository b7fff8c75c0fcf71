"""30: interval records of the jobs that 42.6 shows, with the I/Os of their steps and the EXCPs of each DD."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.records.dataset import UNIT_US
from iosq.toolkit.sample.records.frame import Frame

KIND = "30.2"


def _dd(day: Day, system: int, job: NewRow, number: int, interval: int) -> NewRow:
    """EXCPs of a DD and their connect time: one DD for each volume of the job."""
    volume = day.sysplex.volume(job["volumes"][number])
    count = int(day.devices["SSC"][system, volume, interval] * job["share"])
    block = min(round(float(day.state.demand.block_bytes[volume, interval])), 32_760)
    held = round(count * float(day.state.conn_ms[volume, interval]) * 1000 / UNIT_US)
    names = {"CUA": day.sysplex.volumes[volume].device, "DDN": f"DD{number:02d}"}
    return names | {"BLK": count, "BSZ": block, "XBS": block, "DCT": held}


def _activity(day: Day, job: NewRow, dds: list[NewRow], interval: int) -> NewRow:
    """Total I/Os of the step, with the times of its volumes."""
    state, times = day.state, {"AIW": 0.0, "AID": 0.0}
    for dd, volser in zip(dds, job["volumes"], strict=True):
        volume = day.sysplex.volume(volser)
        times["AIW"] += dd["BLK"] * float(state.pend_ms[volume, interval])
        times["AID"] += dd["BLK"] * float(state.disc_ms[volume, interval])
    blocks, held = sum(dd["BLK"] for dd in dds), sum(dd["DCT"] for dd in dds)
    row = {name: round(ms * 1000 / UNIT_US) for name, ms in times.items()}
    return row | {"AIS": blocks, "AIC": held, "TCN": held, "TEP": blocks, "TEX": blocks}


def maker(day: Day, system: int) -> Records:
    """Type 30 of one system's jobs, one record per job and interval in which it runs."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    who = plex.systems[system]
    jobs = [j for j in plex.settings["job"] if j["system"] == who.sid]

    def record(number: int, job: NewRow, interval: int) -> bytes:
        dds = [_dd(day, system, job, n, interval) for n in range(len(job["volumes"]))]
        name = {"JBN": job["name"], "PGM": job["name"], "JNM": f"STC{number:05d}"}
        name |= {"ISS": plex.utc(plex.start(interval)), "IET": plex.utc(plex.start(interval + 1))}
        goal = {"WLM": job["workload"], "SCN": job["service_class"]}
        parts = {"identification": [name], "performance": [goal], "excp": dds}
        return frame.record(interval, parts | {"io_activity": [_activity(day, job, dds, interval)]})

    def make(interval: int) -> list[tuple[str, bytes]]:
        hour = interval * plex.interval_s / 3600
        running = [(n, j) for n, j in enumerate(jobs, start=1) if j["start_hour"] <= hour < j["end_hour"]]
        return [("30", record(n, j, interval)) for n, j in running]

    return make
