"""42.5: storage classes and the VTOCs of the volumes that jobs use, one record per interval."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.records.dataset import statistics
from iosq.toolkit.sample.records.frame import Frame

KIND = "42.5"
NAME = "SCSTD"
VTOC_SHARE = 0.002  # of a volume's I/Os
COUNTS = {"ION": "ION", "CND": "CND", "SHTS": "HIT", "WCN": "WCN", "WHI": "WHI", "SEQ": "SEQ"}
MORE = {"RDT": "RDT", "HRD": "HRD", "HWR": "HWR"}
TIMES = ("IOR", "IOC", "IOP", "IOD")
MICROS = ("R1U", "C1U", "P1U", "D1U")


def _class(of: list[dict[str, int]]) -> NewRow:
    """Totals of all volumes: sums of counts, and times weighted by I/Os."""
    counts = {name: sum(one[key] for one in of) for key, name in (COUNTS | MORE).items()}
    ios = max(counts["ION"], 1)
    times = {name: round(sum(one["ION"] * one[name] for one in of) / ios) for name in (*TIMES, *MICROS)}
    return {"RNL": len(NAME), "RNN": NAME} | counts | times


def _volume(day: Day, system: int, volser: str, interval: int) -> NewRow:
    volume = day.sysplex.volume(volser)
    made = statistics(day, system, volume, interval, int(day.devices["SSC"][system, volume, interval] * VTOC_SHARE))
    vtoc = {name: made[key] for key, name in COUNTS.items()} | {name: made[name] for name in TIMES}
    children = {"vtoc_data": [vtoc] if vtoc["ION"] else []}
    return {"SER": volser, "ADR": day.sysplex.volumes[volume].device, "children": children}


def maker(day: Day, system: int) -> Records:
    """42.5 of one system."""
    frame, plex = Frame(day, system, KIND), day.sysplex
    who = plex.systems[system]
    names = sorted({name for job in plex.settings["job"] if job["system"] == who.sid for name in job["volumes"]})

    def make(interval: int) -> list[tuple[str, bytes]]:
        product = {"PDL": who.mvs, "PTS": plex.utc(plex.start(interval)), "PTE": plex.utc(plex.start(interval + 1))}
        ios = [(v, int(day.devices["SSC"][system, v, interval])) for v in map(plex.volume, names)]
        classes = [_class([statistics(day, system, v, interval, count) for v, count in ios])]
        headers = [_volume(day, system, name, interval) for name in names]
        parts = {"product": [product], "storage_class": classes, "volume_header": headers}
        return [(KIND, frame.record(interval, parts))]

    return make
