"""94.1: hourly record of the tape library, written with the same numbers by every connected system."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.records.frame import Frame

KIND = "94.1"
HOUR_S = 3600


def ends_hour(day: Day, interval: int) -> bool:
    """True if an hour of the day ends with this interval."""
    return (interval + 1) * day.sysplex.interval_s % HOUR_S == 0


def library_record(day: Day, system: int, interval: int) -> bytes:
    """The record a system writes at the end of the hour that ends with `interval`."""
    plex, library = day.sysplex, day.sysplex.settings["library"]
    rng = generator(day.seed, f"library.{interval}")
    hour = (interval + 1) * plex.interval_s // HOUR_S
    night = 1.8 if hour <= 4 or hour >= 20 else 1.0
    mounts, ejects, audits = (int(rng.poisson(m)) for m in (library["mounts_per_hour"] * night, 2, 1))
    parts: NewRow = {
        "self_description": [{"SLT": library["type"], "SLM": library["model"], "SNO": library["serial"]}],
        "mount": [_operations("M", mounts, int(rng.integers(38, 60)))],
        "eject": [_operations("E", ejects, 55)],
        "audit": [_operations("A", audits, 20)],
    }
    return Frame(day, system, KIND).record(interval, parts)


def _operations(letter: str, count: int, average_s: int) -> dict[str, int]:
    """Pending requests and times of one kind of operation; no times without operations."""
    times = {"T1": average_s * 4, "T2": average_s // 4, "T3": average_s} if count else {}
    pending = {"PR": count // 30, "P1": count // 8, "P2": 0, "P3": count // 30}
    return {f"{letter}{name}": value for name, value in (pending | {"TO": count} | times).items()}
