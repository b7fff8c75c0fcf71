"""Severity from recurrence: what happened once is nothing to act on, but to be watched, with whose load it was."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from iosq.toolkit.advise.causes import Loads
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.places import Places
from iosq.toolkit.units import human_number


def weighed(f: Finding, days: int, places: Places, loads: Loads, limits: Mapping[str, float]) -> Finding:
    """The finding; one to act on that did not come back is one to watch.

    Args:
        f: a finding.
        days: days measured; 0 where there is one interval only, which shows nothing about others.
        places: where volumes are.
        loads: their load.
        limits: those of `causes.toml`.
    """
    if f.severity != "act" or f.when is None or not days:
        return f
    once = f.when.intervals == 1
    if not once and not (days >= limits["few_days"] and f.when.days == 1):
        return f
    often = "in one interval" if once and days == 1 else f"on {f.when.days} of {days} days"
    culprit = loads.during(f.when, places.of(f.about or {f.subject})).culprit(limits)
    if not once and not culprit and days < limits["long_days"]:
        return f
    who, first = "", "Do nothing now"
    if culprit:
        usual = culprit["usual_rate"]
        who = (
            f". Volume {culprit['volume']} did {human_number(culprit['io_rate'])} I/Os per s then, usually "
            f"{human_number(usual)}"
        )
        first = f"Find out what ran on {culprit['volume']} then"
    watched = replace(f, severity="watch", advice=f"{first}. If it comes back: {f.advice}")
    return watched.also(f"That was {often}{who}")
