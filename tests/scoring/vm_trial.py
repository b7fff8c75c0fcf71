"""Random z/VM systems with random troubles, read from their listing or monitor file as a user would."""

import tempfile
from pathlib import Path

import numpy as np

import iosq
from iosq.types import Finding
from tests.scoring.trial import GENERAL, Outcome, Planted, judged
from tests.scoring.troubles import Kind, span
from tests.scoring.vm_site import VmSite
from tests.scoring.vm_troubles import LISTED, MONITORED

# seconds of an interval and hours: pages of Performance Toolkit, monitor files
LISTINGS = ((600, 3), (600, 8), (600, 24))
MONITORS = ((300, 3), (300, 8), (600, 24), (900, 48), (1800, 120))


def tried(seed: int) -> Outcome:
    """What came out of the system of a seed."""
    site, planted = random_system(np.random.default_rng([seed, 7]))
    with tempfile.TemporaryDirectory() as folder:
        return judged(seed, f"{site.days:g}", planted, found(site, Path(folder)))


def found(site: VmSite, folder: Path) -> list[Finding]:
    """What all rules say about it."""
    iosq.ingest(folder / "lake", site.write(folder))
    return [f for f in iosq.open(folder / "lake").findings() if f.code not in GENERAL]


def random_system(rng: np.random.Generator) -> tuple[VmSite, list[Planted]]:
    """A system with none, one or two troubles."""
    is_monitor = bool(rng.random() < 0.5)
    seconds, hours = (MONITORS if is_monitor else LISTINGS)[int(rng.integers(5 if is_monitor else 3))]
    site = VmSite(seconds, hours * 3600 // seconds, rng, is_monitor, 0 if hours > 8 else 9)
    kinds = list(MONITORED if is_monitor else LISTED)
    chosen = rng.choice(len(kinds), int(rng.choice(3, p=(0.1, 0.55, 0.35))), replace=False)
    return site, [_planted(site, kinds[int(n)]) for n in chosen]


def _planted(site: VmSite, kind: Kind) -> Planted:
    """Once, or every day at that hour, with intervals before it."""
    hours, first, rng = 24 * site.days, site.hours[0], site.rng
    lasts = float(rng.uniform(0.75, min(4, 0.4 * hours)))
    begin = float(rng.uniform(0.5, min(hours, 24) - lasts))
    daily = hours > 24 and bool(rng.random() < 0.3)
    return Planted(kind, kind.plant(site, span(site, first + begin, lasts, daily=daily)))
