"""73: channel paths of measurement groups 1 to 5; FICON channels carry the disks' traffic, with extended sections."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.demand import generator
from iosq.toolkit.sample.paths import (
    BUSY_MS_PER_OPERATION,
    BYTES_PER_S,
    CHANNELS_FULLEST,
    FICON_GROUP,
    FIRST_CHANNEL,
    MOVING_BUSY,
)
from iosq.toolkit.sample.records.frame import Frame, iodf
from iosq.toolkit.sample.records.traffic import OTHER_PARTITIONS, Traffic, traffic

KIND = "73"
EXTENDED, ALL_WORDS = 0x02, 0xF8
# path type code and acronym by measurement group; names of groups 4 and 5 are unknown, so an OSA name is used
PATHS = {1: (0x11, "OSD"), 2: (0x1B, "FC_S"), 3: (0x24, "IQD"), 4: (0x11, "OSH"), 5: (0x11, "OSH")}
UNIT_BYTES = 2048
WORK_UNITS_PER_S = 1_000_000
BUS_CYCLES_PER_S = 250_000_000
COMMAND_MODE = 0.2


def _units(
    read: int, write: int, work_ratio: float, seconds: int, prefix: str = "", all_ratio: float = OTHER_PARTITIONS
) -> NewRow:
    """Overlay of groups 2, 4 and 5: `read` and `write` in bytes, work as a share of the maximum."""
    words = {"MBC": BUS_CYCLES_PER_S, "MCU": WORK_UNITS_PER_S, "MWU": BYTES_PER_S // UNIT_BYTES}
    words |= {"MRU": BYTES_PER_S // UNIT_BYTES, "US": UNIT_BYTES}
    work = int(work_ratio * WORK_UNITS_PER_S * seconds)
    bus = int((read + write) * all_ratio / BYTES_PER_S / 2 * BUS_CYCLES_PER_S)
    words |= {"PUC": work, "TUC": int(work * all_ratio), "TBC": bus}
    words |= {"PRU": read // UNIT_BYTES, "PWU": write // UNIT_BYTES}
    words |= {"TRU": int(words["PRU"] * all_ratio), "TWU": int(words["PWU"] * all_ratio)}
    return {prefix + name: value for name, value in words.items()}


def _carried(load: Traffic, seconds: int) -> float:
    """The share of the bytes that a channel can carry, less than 1 at large scales with too many disks per channel."""
    room = CHANNELS_FULLEST * BYTES_PER_S * seconds / load.all_ratio
    return min(1.0, room / max(load.read_bytes, load.write_bytes, 1))


def _ficon(load: Traffic, seconds: int) -> NewRow:
    carried = _carried(load, seconds)
    moving_s = (load.read_bytes + load.write_bytes) / BYTES_PER_S
    busy = (load.operations * BUSY_MS_PER_OPERATION / 1000 + MOVING_BUSY * moving_s) / seconds
    # the combined work of all partitions limits a channel
    busy = min(busy, CHANNELS_FULLEST / load.all_ratio)
    read, write = (int(moved * carried) for moved in (load.read_bytes, load.write_bytes))
    return _units(read, write, busy, seconds, all_ratio=load.all_ratio) | {"SPD": 80}


def _lan(group: int, seconds: int, factor: float) -> NewRow:
    read, write = int(4e6 * factor * seconds), int(2.5e6 * factor * seconds)
    if group in (4, 5):
        return _units(read, write, 0.04 * factor, seconds, f"G{group}")
    if group == 1:
        busy = int(0.03 * factor * seconds / 128e-6)
        return {"PUT": busy, "TUT": int(busy * OTHER_PARTITIONS)}
    sent, messages = int(read / 2048), int(120 * factor * seconds)
    own = {"PDU": 2048, "TDU": 2048, "PUM": 1, "TUM": 1, "PMS": messages, "PDS": sent, "PUS": 0, "PUB": 0, "TUB": 0}
    return own | {"TMS": int(messages * OTHER_PARTITIONS), "TDS": int(sent * OTHER_PARTITIONS)}


def _extended(channel: str, load: Traffic, seconds: int) -> NewRow:
    operations = int(load.operations * load.all_ratio)
    command = int(operations * COMMAND_MODE)
    # operations open when one starts: the mean number in progress, plus itself
    active = load.open_ms * load.all_ratio / 1000 / seconds
    row = {"ECP": channel, "EOS": int(command * (1 + active * COMMAND_MODE)), "EOC": command}
    transport = operations - command
    return row | {"ETS": int(transport * (1 + active * (1 - COMMAND_MODE))), "ETC": transport}


def _path(day: Day, group: int, position: int) -> NewRow:
    code, acronym = PATHS[group]
    row = {"PID": f"{FIRST_CHANNEL + position:02X}", "PTI": day.sysplex.interval_s * 1_000_000 // 1024}
    return row | {"CPD": code, "ACR": acronym, "CMG": group, "FG5": 0 if group == 1 else ALL_WORDS}


def _rows(day: Day, system: int, interval: int) -> tuple[list[NewRow], list[NewRow]]:
    seconds, loads = day.sysplex.interval_s, iter(traffic(day, system, interval))
    rng = generator(day.seed, f"channel{system}.{interval}")
    paths, extended = [], []
    for position, group in enumerate(day.sysplex.systems[system].channel_groups):
        row = _path(day, group, position)
        if group == FICON_GROUP:
            load = next(loads)
            extended.append(_extended(row["PID"], load, seconds))
            row |= {"FG4": EXTENDED, "EIX": len(extended)} | _ficon(load, seconds)
        else:
            row |= _lan(group, seconds, float(rng.uniform(0.7, 1.3)))
        paths.append(row)
    return paths, extended


def maker(day: Day, system: int) -> Records:
    """Type 73 of one system."""
    frame = Frame(day, system, "73.1")

    def make(interval: int) -> list[tuple[str, bytes]]:
        paths, extended = _rows(day, system, interval)
        parts = {"control": [iodf(day)], "channel_data": paths, "extended": extended}
        return [(KIND, frame.record(interval, parts))]

    return make
