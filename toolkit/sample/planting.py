"""Planted situations: a change to the day's demand or to finished records, and the expected finding."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.demand import Demand
from iosq.toolkit.sample.sysplex import SAMPLE, Sysplex


class Record(NamedTuple):
    """One finished SMF record with its RDW. `kind` is `74.1`, `30` …; `interval` its position in the day."""

    kind: str
    system: str
    interval: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Planted:
    """One problem and its traces: `finding` is the expected code, `evidence` the counters that show it.

    `also` are codes of findings about the same subject that are correct but less specific. `start_hour` and
    `end_hour` are local; records of the intervals between them show the problem.
    """

    finding: str
    subject_kind: str
    subject: str
    systems: tuple[str, ...]
    start_hour: float
    end_hour: float
    evidence: str
    also: tuple[str, ...] = ()

    def intervals(self, sysplex: Sysplex) -> range:
        per_hour = 3600 / sysplex.interval_s
        return range(round(self.start_hour * per_hour), round(self.end_hour * per_hour))

    def facts(self, sysplex: Sysplex) -> NewRow:
        """The values as a JSON object, with the window in UTC."""
        span = self.intervals(sysplex)
        return {
            "finding": self.finding,
            "subject_kind": self.subject_kind,
            "subject": self.subject,
            "systems": list(self.systems),
            "start_utc": sysplex.utc(sysplex.start(span.start)).isoformat(),
            "end_utc": sysplex.utc(sysplex.start(span.stop)).isoformat(),
            "evidence": self.evidence,
        }


@dataclass(frozen=True, slots=True)
class Scenario:
    """`shape` changes the demand in place, `damage` may change finished records; `planted` describes the problem."""

    title: str
    planted: Sequence[Planted] = ()
    shape: Callable[[Demand], None] = lambda _: None
    damage: Callable[[Record], Record] = lambda record: record


@cache
def scenarios(plan: str = SAMPLE) -> dict[str, Scenario]:
    """The scenarios of a plan by name, in alphabetical order.

    `plan`: a package with `sysplex.toml`, which defines the sysplex, and modules with a `SCENARIO`.
    """
    names = sorted(m.name for m in iter_modules(import_module(plan).__path__))
    return {n: import_module(f"{plan}.{n}").SCENARIO for n in names}
