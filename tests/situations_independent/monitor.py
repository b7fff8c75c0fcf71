"""A z/VM system as its monitor records it (MONWRITE): devices (D1R6, D6R3) and pools of HyperPAV aliases (D6R28)."""

import datetime as dt
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / f) for f in ("parsers", "parsers/monwrite")]
import mon_support as mon

TICK, LOOKS = 1 / 0.128, 2  # units of time in a ms; high-frequency samples a second


@dataclass(frozen=True)
class Base:
    """What a device does in an interval: rate per second, ms of pend, disconnect, connect, mean I/Os queued.

    `on_aliases`: the share of its I/Os that aliases do; `ineligible`: requests per second that CP can't send to one.
    `paths`: channel paths online.
    """

    dev: str
    volser: str
    rate: float
    parts: tuple[float, float, float]
    queued: float = 0.0
    pool: int = 0
    on_aliases: float = 0.0
    ineligible: float = 0.0
    paths: int = 4


@dataclass(frozen=True)
class Free:
    """The aliases of a pool: how many, searches per second for one, the share that fails, the fewest free."""

    pool: int
    ssid: str
    bases: int
    aliases: int
    tries: float
    failed: float
    fewest: int


@dataclass(frozen=True)
class Monitor:
    """A file of samples every five minutes; `devices` and `pools` give what each interval has, by its number.

    `stopped`: the samples that are missing.
    """

    devices: Callable[[int], list[Base]]
    pools: Callable[[int], list[Free]] = field(default=lambda _: [])
    intervals: int = 24
    start: dt.datetime = dt.datetime(2026, 3, 3, 9)
    seconds: int = 300
    stopped: range = range(0)
    system: str = "VMTEST2"

    def write(self, folder: Path) -> list[Path]:
        """The file: configuration, then totals that grow."""
        path = folder / "monwrite.bin"
        known = [mon.system(self.start, self.system, 0)]
        known += [mon.device(n, d.dev, d.volser, pool=d.pool) for n, d in enumerate(self.devices(0), 1)]
        totals: dict[tuple[str, int], dict[str, float]] = {}
        groups = [[*known, *self._sample(0, totals)]]
        later = [self._sample(at, totals) for at in range(1, self.intervals + 1)]
        groups += [group for at, group in enumerate(later, 1) if at not in self.stopped]
        path.write_bytes(mon.file(*groups))
        return [path]

    def _sample(self, at: int, totals: dict[tuple[str, int], dict[str, float]]) -> list[bytes]:
        when, found = self.start + at * dt.timedelta(seconds=self.seconds), []
        for n, d in enumerate(self.devices(max(at - 1, 0)), 1):
            sums = _added(totals.setdefault(("device", n), {}), _counts(d, self.seconds if at else 0))
            named = {
                "RDEVSID": n,
                "RDEVDEV": d.dev,
                "RDEVSER": d.volser,
                "RDEVHPPL": d.pool,
                "RDEVLPM": 0x100 - (0x100 >> d.paths),
            }
            found.append(mon.encode("D6R3", when, **named, **sums))
        for p in self.pools(max(at - 1, 0)):
            tries = p.tries * (self.seconds if at else 0)
            sums = _added(totals.setdefault(("pool", p.pool), {}), {"HPPTRIES": tries, "HPPFAILS": tries * p.failed})
            named = {"HPPOOLNM": p.pool, "HPPTOKEN": p.ssid, "HPPNBASE": p.bases, "HPPNALIS": p.aliases}
            found.append(mon.encode("D6R28", when, **named, HPPMINCT=p.fewest, HPPMAXCT=p.aliases, **sums))
        return found


def _counts(d: Base, seconds: int) -> dict[str, float]:
    ios, times = d.rate * seconds, {}
    for prefix, share in (("SCM", 1 - d.on_aliases), ("PAV", d.on_aliases)):
        parts = zip(("FP", "DD", "CN"), d.parts, strict=True)
        times |= {f"{prefix}{k}TIM": ms * ios * share * TICK for k, ms in parts}
        count = "SCG" if prefix == "SCM" else prefix
        times |= {f"{count}SSCH": ios * share, f"{count}COUNT": ios * share}
    looks = {"HFCTIO": seconds * LOOKS, "HFRDEVCT": seconds * LOOKS * d.queued}
    reads = {"RDEVRDCT": ios * 0.7, "RDEVWRCT": ios * 0.3, "PAVINELG": d.ineligible * seconds}
    return {**times, **looks, **reads}


def _added(total: dict[str, float], more: dict[str, float]) -> dict[str, int]:
    for name, x in more.items():
        total[name] = total.get(name, 0.0) + x
    return {name: round(x) for name, x in total.items()}
