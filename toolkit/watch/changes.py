"""Changes of findings between two scans of a lake.

Two findings are the same if rule and subject are equal, or share some names: the volumes of a finding vary by day.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from iosq.toolkit.rows import Row

Kind = Literal["new", "worse", "better", "gone"]
SEVERITIES = ("note", "watch", "act")
CHANGED = 1.5
"""Ratio of I/O time lost per day from which a finding is worse or better: our choice, above the variation of days."""


@dataclass(frozen=True, slots=True)
class Known:
    """A finding as last seen, how many `times` it has appeared, and when its alert was created, if there is one.

    `subject` is the subject of the alert while there is one; `names` and `systems` are those of the last scan.
    """

    severity: str
    lost_s: float
    text: str
    first_seen: str | None
    subject: str
    code: str
    times: int = 1
    is_gone: bool = False
    alerted_at: str | None = None
    names: Sequence[str] = ()
    systems: Sequence[str] = ()

    def shares(self, row: Row) -> bool:
        """True if a finding of the same rule shares a name on the same system."""
        on_one = not (self.systems and row["systems"]) or set(self.systems) & {*row["systems"]}
        return self.code == row["code"] and bool(on_one and set(self.names) & {*row["names"]})


@dataclass(frozen=True, slots=True)
class Change:
    """The change of a finding; `row` as in `advise --format json`, empty if the finding is gone."""

    kind: Kind
    identity: str
    known: Known
    row: Row

    @property
    def alert_id(self) -> str:
        parts = (self.identity, self.status, str(self.known.times))
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:32]

    @property
    def calls_for_alert(self) -> bool:
        """True for a finding that newly calls for action, and for the end of one with an alert."""
        is_alerted = self.known.alerted_at is not None
        return is_alerted if self.kind == "gone" else self.known.severity == "act" and not is_alerted

    @property
    def status(self) -> str:
        """The status in the terms of Alertmanager."""
        return "resolved" if self.kind == "gone" else "firing"


def identity(row: Row) -> str:
    """Rule and subject as an id; a finding keeps the id under which it was first seen."""
    return "|".join((row["code"], row["subject_kind"], ",".join(row["names"]), ",".join(row["systems"])))


def changes(before: Mapping[str, Known], now: Sequence[Row], at: str = "") -> tuple[dict[str, Known], list[Change]]:
    """All known findings after this scan, including those that are gone, and the changes.

    `now`: findings as in `advise --format json`, most urgent first.
    """
    found = _named(before, now)
    after = {name: _known(row, before.get(name)) for name, row in found.items()}
    made = [Change(kind, name, after[name], row) for name, row in found.items() if (kind := _kind(before, after, name))]
    gone = {name: replace(k, is_gone=True) for name, k in before.items() if name not in found and not k.is_gone}
    made += [Change("gone", name, known, {}) for name, known in gone.items()]
    alerted = {c.identity for c in made if c.kind != "gone" and c.calls_for_alert}
    after = {n: replace(k, alerted_at=at if n in alerted else k.alerted_at) for n, k in after.items()}
    former = {n: k for n, k in before.items() if k.is_gone and n not in found}
    return {**former, **{n: replace(k, alerted_at=None) for n, k in gone.items()}, **after}, made


def _named(before: Mapping[str, Known], now: Sequence[Row]) -> dict[str, Row]:
    """The findings by identity: that of the same subject, else of one in the previous scan that shares names."""
    found: dict[str, Row] = {}
    for row in now:
        found.setdefault(identity(row), row)
    named = {name: row for name, row in found.items() if name in before}
    for name, row in found.items():
        if name not in named:
            had = (n for n, known in before.items() if n not in named and not known.is_gone and known.shares(row))
            named[next(had, name)] = row
    return named


def _known(row: Row, before: Known | None) -> Known:
    own = Known(
        row["severity"], row["lost_s"] or 0.0, row["text"], row["first_seen"], row["subject"], row["code"],
        names=row["names"], systems=row["systems"],
    )  # fmt: skip
    if before is None:
        return own
    if before.is_gone:
        return replace(own, times=before.times + 1)
    seen = min(filter(None, (before.first_seen, own.first_seen)), default=None)
    subject = own.subject if before.alerted_at is None else before.subject
    return replace(own, first_seen=seen, times=before.times, alerted_at=before.alerted_at, subject=subject)


def _kind(before: Mapping[str, Known], after: Mapping[str, Known], name: str) -> Kind | None:
    was, now = before.get(name), after[name]
    if was is None or was.is_gone:
        return "new"
    rank, former = SEVERITIES.index(now.severity), SEVERITIES.index(was.severity)
    if rank != former:
        return "worse" if rank > former else "better"
    if now.lost_s > CHANGED * was.lost_s:
        return "worse"
    return "better" if was.lost_s > CHANGED * now.lost_s else None
