"""A z/VM system as Performance Toolkit prints it: device pages (FCX108) of ten minutes, and CP-owned disks (FCX109)."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

RULE = " " + "_" * 131
HEADING = (
    " <-- Device Descr. --> Mdisk Pa- <-- Rate/s -> <---------- Time (msec) ---------->  Req. < Percent > SEEK Recov"
    " <- Throttle >",
    " Addr Type   Label/ID  Links ths     I/O Avoid  Pend  Disc  Conn  Serv  Resp  CUWt  Qued Busy READ Cyls  SSCH"
    "  Set/s  Dly/s",
)
OWNED = (
    f"{'MLOAD Block %Used':>126}",
    "                    Area  Area        Used <--- Page --> <-- Spool -->          SSCH   User  Queue      Serv  Resp"
    "  Page   for",
    " Addr Devtyp Serial Type  Extent         %  Reads Writes  Reads Writes  Total  +RSCH  Inter  Lngth Time/Page  Time"
    "  Size Alloc",
)


@dataclass(frozen=True)
class Device:
    """A row of FCX108: rates per second, times in ms. `queued`: I/Os in the queue; `throttle`: set, delayed per s.

    `cu_wait`: time in the queue of the control unit. `recovered`: starts for recovery from errors.

    A device without channel measurements (`parts` is None) has a service time only.
    """

    addr: str
    label: str
    rate: float
    parts: tuple[float, float, float] | None = (0.1, 0.1, 0.3)
    queued: float = 0.0
    type: str = "3390-9"
    reads: int = 60
    avoided: float = 0.0
    service: float = 0.0
    throttle: tuple[float, float] | None = None
    paths: int = 4
    cu_wait: float = 0.0
    recovered: int = 0

    def line(self) -> str:
        """The row as printed."""
        serv = sum(self.parts) if self.parts else self.service
        resp = serv + 1000 * self.queued / self.rate
        times = [f"{ms:5.1f}" for ms in self.parts] if self.parts else [" ...."] * 3
        held = [f"{rate:6.1f}" for rate in self.throttle] if self.throttle else ["  ...."] * 2
        busy = round(self.rate * serv / 10)
        return (
            f" {self.addr} {self.type:<6} {self.label:<6} CP     3 {self.paths:3} {self.rate:7.1f} {self.avoided:5.1f} "
            f"{' '.join(times)} {serv:5.1f} {resp:5.1f} {self.cu_wait:5.1f} {self.queued:5.1f} {busy:4} {self.reads:4} "
            f"   0 {self.recovered:5} {' '.join(held)}"
        )


@dataclass(frozen=True)
class Area:
    """A row of FCX109: an extent, its pages per second, how full it is, and the block size CP finds."""

    addr: str
    label: str
    used: int
    pages: float
    queued: float
    block: int
    type: str = "PAGE"

    def line(self) -> str:
        """The row as printed."""
        half, none = f" {self.pages / 2:6.1f} {self.pages / 2:6.1f}", "     .0     .0"
        moved = half + none if self.type == "PAGE" else none + half
        return (
            f" {self.addr} 3390-9 {self.label} {self.type:<5} 1-10016    {self.used:5}{moved} "
            f"{self.pages:6.1f} {self.pages / 5:6.1f}      1 {self.queued:6.1f}       1.4  30.1 {self.block:5}    "
            f"{self.used:2}"
        )


@dataclass(frozen=True)
class Report:
    """A page of another report: its lines of headings and rows, and how many intervals it spans."""

    number: str
    name: str
    title: str
    lines: tuple[str, ...]
    spans: int = 1


@dataclass(frozen=True)
class Listing:
    """Pages of one system: what each interval has, by its number; `reports` end with it."""

    devices: Callable[[int], list[Device]]
    areas: Callable[[int], list[Area]] = field(default=lambda _: [])
    reports: Callable[[int], list[Report]] = field(default=lambda _: [])
    intervals: int = 12
    start: dt.datetime = dt.datetime(2026, 3, 3, 9)
    system: str = "VMTEST1"

    def write(self, folder: Path) -> list[Path]:
        """The listing as a file."""
        path = folder / "perfkit.txt"
        path.write_text("\n".join(line for at in range(self.intervals) for line in self._interval(at)) + "\n")
        return [path]

    def _interval(self, at: int) -> Iterator[str]:
        yield from self._page(at, "FCX108", "INTERIM DEVICE", "General I/O Device Load and Performance")
        yield from (*HEADING, *(d.line() for d in self.devices(at)), "")
        if areas := self.areas(at):
            yield from self._page(at, "FCX109", "INTERIM DEVICE CPOWNED", "Load and Performance of CP Owned Disks")
            yield from (*OWNED, *(a.line() for a in areas), "")
        for r in self.reports(at):
            yield from self._page(at, r.number, r.name, r.title, r.spans)
            yield from (*r.lines, "")

    def _page(self, at: int, report: str, name: str, title: str, spans: int = 1) -> Iterator[str]:
        ends = self.start + (at + 1) * dt.timedelta(minutes=10)
        begins = ends - spans * dt.timedelta(minutes=10)
        yield f"1{report}  Run {ends:%Y/%m/%d %H:%M:%S}         {name:<80}Page {at + 1:4}"
        yield f"{'':41}{title}"
        yield f"{f' From {begins:%Y/%m/%d %H:%M:%S}':<106}{self.system}"
        yield f"{f' To   {ends:%Y/%m/%d %H:%M:%S}':<106}CPU 8561-T01   SN 3B28A"
        span = f" For {spans * 600:6} Secs {ends - begins!s:0>8}"
        yield f"{span:<42}{'Performance of VMTEST1':<64}z/VM   V.7.3.0 SLU 2401"
        yield RULE
