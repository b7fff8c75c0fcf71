"""What a rule is and what it finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

Severity = Literal["act", "watch", "note"]
Row = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Number:
    """A value a finding rests on, with its unit (see `iosq.toolkit.units`)."""

    name: str
    value: float | int | str | None
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing worth knowing.

    `lost_s` is what ranks findings: seconds of I/O time a day of the measured span loses to this cause, summed over
    all I/Os. `low` and `high` bound it where it is estimated.
    """

    code: str
    severity: Severity
    subject_kind: str
    subject: str
    text: str
    advice: str
    numbers: tuple[Number, ...]
    sql: str
    lost_s: float
    confidence: str = "high"


@dataclass(frozen=True, slots=True)
class Threshold:
    """A limit a rule uses, with where it comes from and the hardware era it was made for."""

    value: float
    unit: str
    meaning: str
    era: str
    source: str


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule with its documentation; `sql` has one `?` per entry of `parameters`, names of thresholds.

    `judge` is pure: rows of the query and the limits in, findings out.
    """

    code: str
    title: str
    finds: str
    matters: str
    evidence: str
    wrong_when: str
    do: str
    sql: str
    judge: Callable[[list[Row], Mapping[str, float]], Iterator[Finding]]
    thresholds: Mapping[str, Threshold]
    parameters: tuple[str, ...] = ()

    def limits(self, settings: Mapping[str, float] | None = None) -> dict[str, float]:
        """The limits in force: the rule's own, or the site's from `[thresholds.CODE]` of iosq.toml."""
        return {name: float((settings or {}).get(name, t.value)) for name, t in self.thresholds.items()}
