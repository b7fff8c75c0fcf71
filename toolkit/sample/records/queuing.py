"""78.3: I/O queuing: LCUs with their paths, alias sections of HyperPAV and SuperPAV LCUs, and the IOPs."""

from iosq.parsers.smf.encode import Split
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.counters import samples
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.paths import channels_to
from iosq.toolkit.sample.records.frame import Frame, iodf, spread

Rows = list[NewRow]

KIND = "78.3"
# shares of writes in transport mode, and with ready disabled
TRANSPORT_WRITES, READY_DISABLED = 0.8, 0.9
HYPERPAV, SUPERPAV = 0x02, 0x01
IOPS = 4
# keeps records below 32 KB
LCUS_PER_RECORD = 64
# I/O processor time per SSCH and its interrupt
IOP_MS = 0.03
SUPERPAV_FIELDS = ("XANC", "XAUC", "XNHC", "XABC", "XHBC", "XALC", "XHLC", "XNAG", "XCQD", "XCIU")
HYPERPAV_FIELDS = ("HNAI", "HTIO", "HAIU", "HCAD", "HIOQ")


def _sums(day: Day, system: int, lcu: int, interval: int) -> dict[str, int]:
    members, read_ratio = day.sysplex.members(lcu), day.state.demand.read_ratio
    sums = {n: int(day.devices[n][system, members, interval].sum()) for n in ("SSC", "CMR", "CNN", "DIS", "PEN")}
    writes = day.devices["SSC"][system, members, interval] * (1 - read_ratio[members, interval])
    return sums | {"writes": int(writes.sum() * TRANSPORT_WRITES)}


def _paths(day: Day, system: int, lcu: int, sums: dict[str, int]) -> Rows:
    channels = channels_to(day.sysplex, day.sysplex.systems[system], day.sysplex.lcus[lcu])
    taken, response, writes = (spread(sums[n], len(channels)) for n in ("SSC", "CMR", "writes"))
    number = day.sysplex.lcus[lcu].number
    return [
        {"CPID": c, "CU1": number, "PT": t, "CMR": r, "CTMW": w, "CTRD": int(w * READY_DISABLED)} | _met(t)
        for c, t, r, w in zip(channels, taken, response, writes, strict=True)
    ]


def _met(taken: int) -> dict[str, int]:
    """Counts of busy ports and control units on a path, from the number of starts."""
    busy = taken // 30_000
    return {"DPB": taken // 20_000, "SBS": taken // 9_000, "CUB": busy, "CBT": busy * 3}


def _configuration(day: Day, system: int, lcu: int, sums: dict[str, int]) -> NewRow:
    one = day.sysplex.lcus[lcu]
    group = {"AMGC": one.box + 1, "AMGS": one.box + 1} if one.pav == "super" else {}
    return {"ID1": one.number, **group, "children": {"config_data": _paths(day, system, lcu, sums)}}


def _data(day: Day, lcu: int, sums: dict[str, int], sections: Rows) -> NewRow:
    one = day.sysplex.lcus[lcu]
    status = {"hyper": HYPERPAV, "super": HYPERPAV | SUPERPAV}.get(one.pav, 0)
    waits = sums["SSC"] // 5000
    row = {"ID2": one.number, "DST": status, "QCT": waits, "QSM": waits + waits // 8}
    row |= {"DCTM": sums["CNN"], "DDTM": sums["DIS"], "CSST": sums["PEN"] // 12}
    return row | ({"HCNT": 1, "HIX": len(sections)} if status else {})


def _aliases(day: Day, system: int, lcu: int, interval: int) -> NewRow:
    one, found = day.sysplex.lcus[lcu], day.aliases
    # releases without SuperPAV have a section without its fields
    short = day.sysplex.systems[system].lengths.get("hyperpav", 1000) <= 40
    names = [*HYPERPAV_FIELDS, *([] if one.pav != "super" or short else SUPERPAV_FIELDS)]
    return {"HLCU": one.number, "HCU": one.ssid} | {n: int(found[n][system, lcu, interval]) for n in names}


def _processors(day: Day, system: int, interval: int) -> Rows:
    started = int(day.devices["SSC"][system, :, interval].sum())
    looks = samples(day.state, system) * 1000
    rng = generator(day.seed, f"iop{system}.{interval}")
    rows = []
    for number, share in enumerate(spread(started, IOPS)):
        busy_ratio = min(share * IOP_MS / 1000 / day.sysplex.interval_s, 0.95)
        busy = int(rng.binomial(looks, busy_ratio))
        counts = {"IQCT": share, "IQSM": share + int(share * busy_ratio), "IIPB": busy, "IIPI": looks - busy}
        counts |= {"IIFS": share, "IPII": share + int(rng.poisson(40)), "ICPB": share // 2500, "IDVB": share // 8000}
        met = _met(share)
        rows.append({"IQID": f"{number:04X}", **counts, "IDPB": met["DPB"], "ICUB": met["CUB"]})
    return rows


def _lcus(day: Day, system: int, interval: int) -> tuple[Rows, ...]:
    configuration, data, aliases = [], [], []
    for lcu, one in enumerate(day.sysplex.lcus):
        sums = _sums(day, system, lcu, interval)
        if one.aliases:
            aliases.append(_aliases(day, system, lcu, interval))
        configuration.append(_configuration(day, system, lcu, sums))
        data.append(_data(day, lcu, sums, aliases))
    return configuration, data, aliases


def _piece(rows: tuple[Rows, ...], start: int) -> tuple[dict[str, Rows], dict[str, int]]:
    """Sections of the LCUs from `start` on, and the position of the first of each kind in the logical record."""
    configuration, data, aliases = rows
    chosen = data[start : start + LCUS_PER_RECORD]
    first = sum(1 for row in data[:start] if "HCNT" in row)
    count = sum(1 for row in chosen if "HCNT" in row)
    parts = {"config_control": configuration[start : start + LCUS_PER_RECORD], "data": chosen}
    parts["hyperpav"] = aliases[first : first + count]
    return parts, {"config_control": start + 1, "data": start + 1, "global": 1, "hyperpav": first + 1}


def maker(day: Day, system: int) -> Records:
    """78.3 of one system, in pieces if the LCUs exceed one record; the IOPs are in the first one."""
    frame = Frame(day, system, KIND)
    lengths = {n: v for n, v in day.sysplex.systems[system].lengths.items() if n == "hyperpav"}
    total = len(day.sysplex.lcus)
    starts = range(0, total, LCUS_PER_RECORD)

    def piece(rows: tuple[Rows, ...], interval: int, start: int) -> bytes:
        parts, firsts = _piece(rows, start)
        processors = [] if start else _processors(day, system, interval)
        of_all = {"TOT": total, "NXT": max(0, total - start - LCUS_PER_RECORD), **iodf(day)}
        parts["global"] = [{**of_all, "children": {"iop": processors}}]
        totals = {"config_control": total, "data": total, "global": 1, "hyperpav": len(rows[2])}
        split = Split(len(starts), start // LCUS_PER_RECORD + 1, totals, firsts) if len(starts) > 1 else None
        return frame.record(interval, parts, lengths, split)

    def make(interval: int) -> list[tuple[str, bytes]]:
        rows = _lcus(day, system, interval)
        return [(KIND, piece(rows, interval, start)) for start in starts]

    return make
