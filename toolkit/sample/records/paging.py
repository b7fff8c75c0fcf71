"""75: page data sets, each with a share of the I/O of its volume; one record for each."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import samples
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.records.frame import Frame

KIND = "75.1"
TYPES = {"PLPA": 0x80, "COMMON": 0x40, "LOCAL": 0x10}
ACCEPTS_VIO, IS_DEVICE_VALID = 0x80, 0x10
PAGES_PER_IO = 5
SERVICE_S = 0.002


def _section(day: Day, system: int, interval: int, of: NewRow) -> NewRow:
    volume, rng = day.sysplex.volume(of["volser"]), generator(day.seed, f"paging{of['name']}.{interval}")
    ios = int(day.devices["SSC"][system, volume, interval] * of["share"])
    used = of["used"] * of["slots"] * float(rng.uniform(0.95, 1.05))
    busy = min(ios * SERVICE_S / day.sysplex.interval_s, 1.0)
    counts = {"SLA": of["slots"], "MXU": min(int(used * 1.05), of["slots"]), "MNU": int(used * 0.9)}
    counts |= {"AVU": int(used), "LVU": used, "SIO": ios, "PGX": ios * PAGES_PER_IO}
    counts |= dict.fromkeys(("USE", "REQ"), int(samples(day.state, system) * busy))
    row = {"DSN": of["name"], "PST": TYPES[of["type"]], "FL2": ACCEPTS_VIO * (of["type"] == "LOCAL") | IS_DEVICE_VALID}
    return row | counts | {"CHA": day.sysplex.volumes[volume].device, "VOL": of["volser"]}


def maker(day: Day, system: int) -> Records:
    """Type 75 of one system."""
    frame, sid = Frame(day, system, KIND), day.sysplex.systems[system].sid
    mine = [one for one in day.sysplex.settings.get("page_data_set", ()) if one["system"] == sid]

    def record(interval: int, one: NewRow) -> bytes:
        return frame.record(interval, {"page_data_set": [_section(day, system, interval, one)]})

    return lambda interval: [(KIND, record(interval, one)) for one in mine]
