"""A site's own thresholds: `[thresholds.CODE]` of iosq.toml, checked against the rules."""

import difflib
from collections.abc import Iterable, Mapping

from iosq.toolkit.advise.catalog import all_rules, renamed, shared_thresholds
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import Row

PLACE = "iosq.toml"
LARGEST = 1e15


def thresholds(settings: Row) -> dict[str, dict[str, float]]:
    """Limits by rule and name, as `run` takes them, from all of iosq.toml.

    Raises:
        RequestError: no such rule or threshold, or no number; names the place and what is known.
    """
    rules = {r.code: r.thresholds for r in all_rules()} | {s.code: s.thresholds for s in shared_thresholds()}
    found = settings.get("thresholds", {})
    if not isinstance(found, Mapping):
        raise RequestError(
            "must be a table of tables", place=f"{PLACE}, [thresholds]", remedy="write [thresholds.CODE]"
        )
    # names of the version before
    named = [(str(renamed().get(code, code)), limits) for code, limits in found.items()]
    for code, limits in named:
        place = f"{PLACE}, [thresholds.{code}]"
        _known(code, rules, "rule", place)
        if not isinstance(limits, Mapping):
            raise RequestError("must be a table of numbers", place=place, remedy="write name = number below it")
        for name, value in limits.items():
            _known(name, rules[code], "threshold", place)
            if isinstance(value, bool) or not isinstance(value, int | float):
                raise RequestError(f"{name} = {value!r} is not a number", place=place, remedy="give a number")
            if not 0 <= value <= LARGEST:  # nan is neither
                shown = f"{value!r:.40}"
                raise RequestError(f"{name} = {shown} is not a number of 0 or more", place=place, remedy="give one")
    given: dict[str, dict[str, float]] = {}
    for code, limits in named:
        given.setdefault(code, {}).update({name: float(value) for name, value in limits.items()})
    return _everywhere(given)


def _everywhere(limits: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    """The same limits, in every rule that uses another rule's threshold too, unless it is set there."""
    for rule in all_rules():
        for name, (owner, of) in rule.same.items():
            if of in limits.get(owner, {}):
                limits.setdefault(rule.code, {}).setdefault(name, limits[owner][of])
    return limits


def _known(name: str, known: Iterable[str], kind: str, place: str) -> None:
    names = sorted(known)
    if name in names:
        return
    near = difflib.get_close_matches(name, names, 1)
    remedy = f"did you mean {near[0]}?" if near else f"known are {', '.join(names) or 'none'}"
    raise RequestError(f"there is no {kind} {name}", place=place, remedy=remedy)
