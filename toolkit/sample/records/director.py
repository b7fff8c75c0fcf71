"""74.7: one FICON director between the first system's channels and both boxes, gathered by the first system."""

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.day import Day, Records
from iosq.toolkit.sample.paths import ficon_channels
from iosq.toolkit.sample.records.frame import Frame, iodf
from iosq.toolkit.sample.records.traffic import traffic

KIND = "74.7"
CHANNEL_PORT, UNIT_PORT = 0x20, 0x40
FRAME_BYTES = 2048
# frames wait for a buffer credit occasionally
PACING_PER_FRAME = 0.02
FRAMES_DAMAGED_EVERY = 29


def _port(number: int, kind: int, sent: int, received: int, attached: NewRow) -> NewRow:
    frames_in, frames_out = received // FRAME_BYTES + 1, sent // FRAME_BYTES + 1
    counts = {"PNWR": received // 4, "PNWT": sent // 4, "PNFR": frames_in, "PNFT": frames_out}
    names = {"PNUM": f"{number:02X}", "PADR": f"{number + 4:02X}", "PTFL": kind}
    return counts | {"PFPT": int(frames_out * PACING_PER_FRAME)} | names | attached


def _errors(port: int, interval: int) -> int:
    """Occasional damaged frames, equally on all ports."""
    return int(interval % FRAMES_DAMAGED_EVERY == port)


def _ports(day: Day, system: int, interval: int) -> tuple[list[NewRow], list[NewRow]]:
    loads = traffic(day, system, interval)
    channels = ficon_channels(day.sysplex.systems[system])
    # a channel's port receives host writes and transmits host reads; a box's port does the opposite
    found = [
        _port(i, CHANNEL_PORT, t.read_bytes, t.write_bytes, {"PCU": f"00{c}", "PCP": c, "PNER": _errors(i, interval)})
        for i, (c, t) in enumerate(zip(channels, loads, strict=True))
    ]
    connectors = []
    reads, writes = sum(t.read_bytes for t in loads), sum(t.write_bytes for t in loads)
    for i, box in enumerate(day.sysplex.boxes):
        units = [c.number for c in day.sysplex.lcus if day.sysplex.boxes[c.box] == box]
        attached = {"PCU": units[0], "PCUN": len(units), "PNPC": 1, "PXPC": i + 1}
        found.append(_port(16 + i, UNIT_PORT, writes // 2, reads // 2, attached))
        connectors.append({"CNUM": f"{16 + i:02X}", "CADR": f"{20 + i:02X}", "CCU": units[0], "CCUN": len(units)})
    return found, connectors


def maker(day: Day, system: int) -> Records:
    """74.7 of the first system; other systems have none."""
    frame, of = Frame(day, system, KIND), iodf(day)
    general = {"GINM": of["TNM"], "GISF": of["TSF"], "GICD": of["TDY"], "GICT": of["TTM"]}

    def make(interval: int) -> list[tuple[str, bytes]]:
        if system:
            return []
        ports, connectors = _ports(day, system, interval)
        parts: dict[str, list[NewRow]] = {"global": [general], "switch": [{}], "port": ports, "connector": connectors}
        return [(KIND, frame.record(interval, parts))]

    return make
