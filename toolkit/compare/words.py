"""A comparison as lines of text: rate, response and its parts per box and system, followed by each change."""

from collections.abc import Container, Iterable, Iterator

from iosq.toolkit.compare.engine import Change, Comparison
from iosq.toolkit.show.numbers import human_number, plural
from iosq.toolkit.show.terms import in_cp_terms, titled
from iosq.toolkit.units import display_unit, with_unit

MOST = 12  # maximum number of boxes, and of systems
# maximum number of sentences about changes, those of boxes and LCUs first
SENTENCES = 50
_TIMES = {"response_ms": "response", "wait_ms": "IOSQ", "service_ms": "service"}
_Means = dict[str, tuple[float, float]]  # of one subject by measure, before and after


def lines(comparison: Comparison) -> list[str]:
    """All lines of the comparison, on z/VM in its terms."""
    each = (*overview(comparison), *_changes(comparison), *comparison.one_sided)
    return [in_cp_terms(line) if comparison.only_zvm else line for line in each]


def overview(comparison: Comparison) -> Iterator[str]:
    """A line per box, and a line per system over its volumes present on both sides."""
    loads = _loads(comparison.changes)
    systems: dict[str, list[_Means]] = {}
    for (kind, system, _), load in loads.items():
        if kind == "volume" and system:
            systems.setdefault(system, []).append(load)
    # without a box that is named, the storage of a system is one: its line is the system's
    boxes = {name: [load] for (kind, _, name), load in loads.items() if kind == "box" and name not in systems}
    for kind, found in (("box", boxes), ("system", systems)):
        yield from (_line(titled(kind, name, systems), found[name]) for name in sorted(found)[:MOST])
        if len(found) > MOST:
            yield f"and {plural(len(found) - MOST, f'more {kind}', 'more boxes' if kind == 'box' else '')}"


def _loads(changes: Iterable[Change]) -> dict[tuple[str, str, str], _Means]:
    """The means of each subject with known rate and times on both sides."""
    means: dict[tuple[str, str, str], _Means] = {}
    for c in changes:
        if c.mean_before is not None and c.mean_after is not None:
            means.setdefault((c.kind, c.system, c.subject), {})[c.measure] = c.mean_before, c.mean_after
    return {subject: known for subject, known in means.items() if {"io_rate", *_TIMES} <= known.keys()}


def _line(name: str, loads: list[_Means]) -> str:
    before, after = (sum(load["io_rate"][side] for load in loads) for side in (0, 1))
    response, *parts = (f"{words} {_mean(loads, measure)}" for measure, words in _TIMES.items())
    return f"{name}: {_span(before, after)} I/Os per s, {response} ms ({', '.join(parts)})"


def _mean(loads: list[_Means], measure: str) -> str:
    ends = []
    for side in (0, 1):
        ios = sum(load["io_rate"][side] for load in loads)
        ends.append(sum(load["io_rate"][side] * load[measure][side] for load in loads) / ios if ios else 0.0)
    return _span(*ends)


def _span(before: float, after: float) -> str:
    return f"{human_number(before)} to {human_number(after)}"


def _changes(comparison: Comparison) -> list[str]:
    no_data = sum(c.verdict == "too little data" for c in comparison.changes)
    small = sum(c.verdict == "changed too little to matter" for c in comparison.changes)
    rest = len(comparison.changes) - len(comparison.shown) - no_data - small
    systems = {c.system for c in comparison.changes}
    lines = [_sentence(c, systems) for c in comparison.shown[:SENTENCES]]
    more = plural(len(comparison.shown) - SENTENCES, "more change")
    lines += [f"{more}: --format table lists all"] if len(comparison.shown) > SENTENCES else []
    lines += [f"{plural(small, 'comparison')}: changed too little to matter"] if small else []
    further = ("further " if lines else "") + "comparison"
    lines += [f"{plural(rest, further)} of disk I/O: no change can be shown"] if rest else []
    lines += [f"{plural(no_data, 'comparison')}: too little data"] if no_data else []
    return lines or ["no box, LCU or volume is in both spans"]


def _sentence(change: Change, systems: Container[str]) -> str:
    name = titled(change.kind, change.subject, systems) + (f" on {change.system}" if change.system else "")
    factor, unit = display_unit(change.measure)
    values = (change.before, change.after, change.low, change.high)
    before, after, low, high = (human_number(v and factor * v) for v in values)
    change_ratio = change.change_ratio
    ratio = f" ({100 * change_ratio:+.0f} %)" if change_ratio is not None and abs(change_ratio) < 10 else ""
    busy = ", in its busiest quarter" if change.part == "busiest" else ""
    changed = f"{before} to {with_unit(after, unit)}{ratio}"
    by = f"{low} {unit}" if low == high else f"between {low} and {high} {unit}"
    return f"{name}: {change.measure} {changed}, change {by}{busy}"
