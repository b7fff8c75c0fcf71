"""70.1 and 72.3: processors, busy in proportion to the I/O rate, and service classes with the I/Os of their LCUs."""

from typing import NamedTuple

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.records.frame import Frame

# the last processors are zIIPs; only general purpose processors handle I/O interrupts
PROCESSORS, ZIIPS = 6, 2
TOD_PER_S = 4096 * 10**6
CPU_AT_REST, CPU_AT_MOST = 0.2, 0.85
# WLM samples the address spaces of a class four times a second
SAMPLE_S, ADDRESS_SPACES = 0.25, 30
DISK_UNIT_MS, WORK_UNIT_S = 0.128, 0.001024
CPU_S_PER_IO = 0.00015
VELOCITY, AVERAGE, PERCENTILE, DISCRETIONARY = 0x20, 0x40, 0x80, 0x10
MILLISECONDS = 0x80


class Class(NamedTuple):
    """A service class: the LCUs it uses (by `workload`), its goal, and I/Os and CPU seconds per transaction."""

    lcus: tuple[str, ...]
    workload: str
    name: str
    importance: int
    kind: int
    goal: int
    ios: int
    cpu_s: float


CLASSES = (
    Class(("online",), "ONLINE", "ONLHI", 1, AVERAGE, 60, 20, 0.03),
    Class(("database",), "STC", "STCHI", 2, VELOCITY, 60, 50, 0.04),
    Class(("light",), "TSO", "TSOUSERS", 3, PERCENTILE, 500, 40, 0.05),
    Class(("batch", "evening"), "BATCH", "BATMED", 4, VELOCITY, 70, 200_000, 60.0),
    Class(("dump",), "BATCH", "BATLOW", 0, DISCRETIONARY, 0, 500_000, 90.0),
    Class(("system",), "STC", "STCDEF", 0, DISCRETIONARY, 0, 10_000, 5.0),
)


def _busy(day: Day, system: int, interval: int) -> float:
    rates = day.devices["SSC"][system].sum(axis=0)
    return CPU_AT_REST + (CPU_AT_MOST - CPU_AT_REST) * float(rates[interval]) / max(float(rates.max()), 1)


def _processors(day: Day, system: int, interval: int) -> list[NewRow]:
    seconds, rng = day.sysplex.interval_s, generator(day.seed, f"work{system}.{interval}")
    started, busy = int(day.devices["SSC"][system, :, interval].sum()), _busy(day, system, interval)
    rows = []
    for number in range(PROCESSORS):
        is_ziip = number >= PROCESSORS - ZIIPS
        share = min(busy * (0.4 if is_ziip else 1) * float(rng.uniform(0.93, 1.07)), 0.99)
        interrupts = 0 if is_ziip else started // (PROCESSORS - ZIIPS)
        polled = int(interrupts * (0.05 + 0.2 * busy))
        # HiperDispatch parks the last processor of each kind at low load
        parked_s = seconds * (1 - busy) * (number in (PROCESSORS - ZIIPS - 1, PROCESSORS - 1))
        row = {"CID": number, "TYP": 2 * is_ziip, "PAT": int(parked_s * TOD_PER_S), "NIO": interrupts}
        idle_s = (seconds - parked_s) * (1 - share)
        rows.append(row | {"WAT": int(idle_s * TOD_PER_S), "SLH": interrupts - polled, "TPI": polled})
    return rows


def _disk(day: Day, system: int, of: tuple[str, ...], interval: int) -> dict[str, float]:
    """I/Os of the LCUs with these workloads, and their times in seconds."""
    plex = day.sysplex
    found = [v for v, volume in enumerate(plex.volumes) if plex.lcus[volume.lcu].workload in of]
    counts = {n: day.devices[n][system, found, interval] for n in ("SSC", "PEN", "DIS", "CNN")}
    waits = counts["SSC"] * day.state.wait_ms[system, found, interval] / 1000
    times = {n: float(counts[n].sum()) * DISK_UNIT_MS / 1000 for n in ("PEN", "DIS", "CNN")}
    return {"ios": float(counts["SSC"].sum()), "wait": float(waits.sum()), **times}


def _period(day: Day, system: int, one: Class, interval: int) -> NewRow:
    disk = _disk(day, system, one.lcus, interval)
    done = int(disk["ios"]) // one.ios
    held_s = disk["wait"] + disk["PEN"] + disk["DIS"] + disk["CNN"]
    row: dict[str, float] = {"RGF": one.kind, "VAL": one.goal, "IMP": one.importance}
    row |= {"RTF": MILLISECONDS if one.kind in (AVERAGE, PERCENTILE) else 0, "PCT": 90 * (one.kind == PERCENTILE)}
    row |= {"RCP": done, "TET": _elapsed(one, done, disk["ios"], held_s), "IRC": int(disk["ios"])}
    row |= {"XET": row["TET"]}
    units = DISK_UNIT_MS / 1000
    row |= {"ICT": disk["CNN"] / units, "IDT": disk["DIS"] / units, "IOT": disk["wait"] / units}
    row |= {"IWT": (disk["wait"] + disk["PEN"]) / units}
    row |= _samples(disk, day.sysplex.interval_s, _busy(day, system, interval))
    return {name: round(value) for name, value in row.items()}


def _elapsed(one: Class, done: int, ios: float, held_s: float) -> float:
    """Elapsed time of all transactions: the sum of processor time and sequential disk I/Os."""
    return done * (one.cpu_s + one.ios * held_s / max(ios, 1)) / WORK_UNIT_S


def _samples(disk: dict[str, float], seconds: int, busy: float) -> dict[str, float]:
    using, cpu = int(disk["CNN"] / SAMPLE_S), int(disk["ios"] * CPU_S_PER_IO / SAMPLE_S)
    delayed, waiting = int((disk["wait"] + disk["PEN"]) / SAMPLE_S), int(cpu * busy / 2)
    row = {"IOU": using, "CUS": cpu, "IOD": delayed, "CDE": waiting, "TOU": using + cpu, "TOT": delayed + waiting}
    unknown = (row["TOU"] + row["TOT"]) // 20
    idle = max(int(ADDRESS_SPACES * seconds / SAMPLE_S) - row["TOU"] - row["TOT"] - unknown, 0)
    return {**row, "UNK": unknown, "IDL": idle, "TSA": float(row["TOU"] + row["TOT"] + unknown + idle)}


def maker(day: Day, system: int) -> Records:
    """Types 70.1 and 72.3 of one system; a class without an LCU has no record."""
    known = {one.workload for one in day.sysplex.lcus}
    processors, classes = Frame(day, system, "70.1"), Frame(day, system, "72.3")

    def make(interval: int) -> list[tuple[str, bytes]]:
        found = [("70.1", processors.record(interval, {"cpu_data": _processors(day, system, interval)}))]
        for one in CLASSES:
            if known.intersection(one.lcus):
                control = {"MWNM": one.workload, "MCNM": one.name}
                parts = {"control": [control], "period": [_period(day, system, one, interval)]}
                found.append(("72.3", classes.record(interval, parts)))
        return found

    return make
