"""A z/OS system as the RMF postprocessor prints it: device, I/O queuing and cache pages of a quarter of an hour."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

RULE = "-" * 132
TITLE = " " * 37
DEVICE = (
    f"{'':49}DEVICE   AVG  AVG   AVG  AVG  AVG   AVG  AVG  AVG    %      %     %     AVG    %",
    "STORAGE   DEV  DEVICE   NUMBER  VOLUME PAV  LCU  ACTIVITY RESP IOSQ  CMR  DB   INT   PEND DISC CONN   DEV    DEV"
    "   DEV   NMBR   ANY",
    "GROUP     NUM  TYPE     OF CYL  SERIAL           RATE     TIME TIME  DLY  DLY  DLY   TIME TIME TIME   CONN   UTIL"
    "  RESV  ALLOC  ALLOC",
)
QUEUE = (
    RULE,
    f"{'':54}LOGICAL CONTROL UNITS",
    RULE,
    f"{'':59}AVG   AVG             DELAY  AVG               AVG   DATA",
    " LCU/     CU     DCM GROUP  CHAN     CHPID   % DP   % CU   CUB   CMR CONTENTION"
    "     Q   CSS     HPAV      OPEN  XFER",
    "  AMG           MIN MAX DEF PATHS    TAKEN   BUSY   BUSY   DLY   DLY    RATE"
    "     LNGTH  DLY   WAIT  MAX   EXCH  CONC",
)
REQUESTS = (
    "CACHE I/O  -------------READ I/O REQUESTS-------------  ----------------------WRITE I/O REQUESTS"
    "----------------------     %",
    "REQUESTS      COUNT     RATE       HITS    RATE    H/R     COUNT    RATE       FAST    RATE       HITS    RATE"
    "    H/R    READ",
)
MISSES = (
    "------------------------CACHE MISSES-----------------------  ------------MISC------------"
    "  ------NON-CACHE I/O-----",
    "REQUESTS     READ    RATE    WRITE    RATE   TRACKS    RATE"
    "                  COUNT   RATE             COUNT   RATE",
)


@dataclass(frozen=True)
class Disk:
    """A row of the device report: I/Os per second, IOSQ, pend, disconnect and connect in ms."""

    device: str
    volser: str
    lcu: str
    rate: float
    times: tuple[float, float, float, float] = (0.0, 0.2, 0.1, 0.3)
    pav: str = "1.0H"

    def line(self) -> str:
        """The row as printed."""
        iosq, pend, disc, conn = self.times
        return (
            f"PRODSG   {self.device} 3390A     65667  {self.volser} {self.pav:<4} {self.lcu} {self.rate:8.3f} "
            f"{sum(self.times):4.2f} {iosq:4.2f} 0.10 0.00 0.01 {pend:6.3f} {disc:4.2f} {conn:4.2f} "
            f"{self.rate * conn / 10:6.2f} {self.rate * (disc + conn) / 10:6.2f}   0.0   12.0  100.0"
        )


@dataclass(frozen=True)
class Pool:
    """A row of the I/O queuing report: searches for an alias that found none, per I/O, and most aliases in use."""

    lcu: str
    rate: float
    wait: float
    most: int

    def line(self) -> str:
        """The row of all its channel paths as printed."""
        return (
            f" {self.lcu}     B000               *   {self.rate:9.2f}   0.00   0.00   0.0   0.1     0.000   0.00   0.1"
            f"  {self.wait:5.3f} {self.most:4}   3.00  2.70"
        )


@dataclass(frozen=True)
class Cache:
    """A subsystem's status and overview, without its devices: reads and writes per second, read hits, fast writes."""

    ssid: str
    reads: int
    writes: int
    hit_ratio: float = 0.95
    is_fast: bool = True

    def lines(self) -> Iterator[str]:
        """Status, requests and misses as printed."""
        reads, writes = 900 * self.reads, 900 * self.writes
        hits, fast = round(reads * self.hit_ratio), writes * self.is_fast
        ratio = (hits + writes) / (reads + writes)
        yield from (RULE, f"{'CACHE SUBSYSTEM STATUS':>77}", RULE)
        yield "SUBSYSTEM STORAGE              NON-VOLATILE STORAGE           STATUS"
        state = "ACTIVE" if self.is_fast else "DASD FAST WRITE INHIBITED"
        yield f"CONFIGURED     252128M         CONFIGURED     16384M          NON-VOLATILE STORAGE - {state}"
        yield "AVAILABLE      216498M         PINNED             0.0         CACHE FAST WRITE     - ACTIVE"
        yield from ("PINNED             0.0", "OFFLINE            0.0")
        yield from (RULE, f"{'CACHE SUBSYSTEM OVERVIEW':>79}", RULE)
        yield f"TOTAL I/O  {reads + writes:10}   CACHE I/O {reads + writes:10}"
        yield f"TOTAL H/R  {ratio:10.3f}   CACHE H/R {ratio:10.3f}"
        yield from REQUESTS
        for kind, r, h, w, f in (("NORMAL", reads, hits, writes, fast), ("TOTAL", reads, hits, writes, fast)):
            yield (
                f"{kind:<10}{r:9} {r / 900:8.1f} {h:10} {h / 900:7.1f}  {h / r:5.3f} {w:9} {w / 900:7.1f} "
                f"{f:10} {f / 900:7.1f} {w:10} {w / 900:7.1f}  1.000    {100 * r / (r + w):4.1f}"
            )
        yield from MISSES
        m, late = reads - hits, writes - fast
        yield f"NORMAL     {m:6} {m / 900:7.1f}        0     0.0   {m:6} {m / 900:7.1f}  DFW BYPASS          0    0.0"
        yield f"{'':61}DFW INHIBIT {late:9} {late / 900:6.1f}"


def _controlled(lines: Iterator[str]) -> Iterator[str]:
    """The lines with the printer's control character in front: 1 begins a page."""
    return (f"{'1' if 'A C T I V I T Y' in line else ' '}{line}" for line in lines)


@dataclass(frozen=True)
class Printed:
    """Pages of one system: what each interval has, by its number."""

    disks: Callable[[int], list[Disk]]
    pools: Callable[[int], list[Pool]] = field(default=lambda _: [])
    caches: Callable[[int], list[Cache]] = field(default=lambda _: [])
    intervals: int = 8
    start: dt.datetime = dt.datetime(2026, 3, 10, 10)

    def write(self, folder: Path) -> list[Path]:
        """The listing as a file."""
        path = folder / "rmf.txt"
        path.write_text(
            "".join(f"{line}\n" for at in range(self.intervals) for line in _controlled(self._interval(at)))
        )
        return [path]

    def _interval(self, at: int) -> Iterator[str]:
        begins = self.start + at * dt.timedelta(minutes=15)
        for cache in self.caches(at):
            yield from self._heading("C A C H E   S U B S Y S T E M   A C T I V I T Y", begins, "")
            yield (
                f"SUBSYSTEM  2107-01     CU-ID  B005     SSID {cache.ssid}     CDATE  {begins:%m/%d/%Y}     "
                f"CTIME {begins:%H.%M.%S}      CINT  15.00"
            )
            yield "TYPE-MODEL 2107-981    MANUF  IBM      PLANT  75     SERIAL 0000000YT111"
            yield from cache.lines()
        if pools := self.pools(at):
            yield from self._heading("I/O   Q U E U I N G   A C T I V I T Y", begins, "CYCLE 1.000 SECONDS")
            yield from (*QUEUE, *(p.line() for p in pools))
        yield from self._heading(
            "D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y", begins, "CYCLE 1.000 SECONDS"
        )
        yield from (*DEVICE, *(d.line() for d in self.disks(at)))

    def _heading(self, title: str, begins: dt.datetime, cycle: str) -> Iterator[str]:
        yield f"{TITLE}{title}"
        yield f"{'':123}PAGE    1"
        dated = f"DATE {begins:%m/%d/%Y}            INTERVAL 15.00.000"
        yield f"{'':12}z/OS V2R4                SYSTEM ID SYSA             {dated}"
        yield f"{'':37}RPT VERSION V2R4 RMF       TIME {begins:%H.%M.%S}              {cycle}".rstrip()
        if cycle:
            yield "TOTAL SAMPLES =    900   IODF = 00   CR-DATE: 02/11/2026   CR-TIME: 10.15.22   ACT: POR"
        else:
            yield ""
