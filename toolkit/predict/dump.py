"""Stand-alone dump: time by the number of volumes it spans."""

from collections.abc import Sequence

from iosq.models import dump
from iosq.models.machine import Machine
from iosq.models.pav.answers import Interval
from iosq.models.queueing.checks import positive
from iosq.toolkit.late import alt
from iosq.toolkit.predict import spread
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.lines import banded
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.numbers import duration, plural
from iosq.toolkit.show.theme import SERVICE, WAIT, Picture, finished
from iosq.toolkit.units import human_number


def answer(storage_gb: float, *, machine: str = "sadump-ess", volumes: int = 8, virtual: bool = False) -> Answer:
    """Time of a stand-alone dump and of its IPCS initialization by number of volumes spanned.

    Args:
        storage_gb: storage to dump, GB.
        machine: a machine's name or a .toml file.
        volumes: maximum number of volumes to span.
        virtual: dump virtual instead of real storage.
    """
    positive(**{"--storage-gb": storage_gb, "--volumes": volumes})
    named = of_kind(machine, "dump")
    size = storage_gb * 1e9
    useful = dump.volumes_worth_having(named, size, is_virtual=virtual, most=volumes)
    rows = tuple(_row(named, size, count, virtual) for count in range(1, volumes + 1))
    chosen = rows[useful - 1]
    title = (
        f"{human_number(storage_gb)} GB: dumped to {plural(useful, 'volume')} in {duration(chosen['dump_s'])}; "
        f"{_further(named, size, chosen, volumes, virtual)}"
    )
    assumed = ", ".join(sorted(name for name, p in named.parameters.items() if p.how == "assumed"))
    notes = (
        f"calibrated on machine file {named.title}",
        f"assumed, no number published: {assumed}",
        spread.basis(named),
    )
    common = {"machine": named.name, "storage_gb": storage_gb, "is_virtual": virtual, "volumes_worth_having": useful}
    return Answer(rows, (title, *notes), common, lambda: _draw(rows, title, notes[0], "all absolute times are assumed"))


def _further(named: Machine, size: float, chosen: NewRow, most: int, is_virtual: bool) -> str:
    """The effect of further volumes, up to the requested number or one more: only computed counts are reported."""
    last = max(most, min(chosen["volumes"] + 1, dump.VOLUMES_MAX))
    if last == chosen["volumes"]:
        return "a dump spans no more"
    counts = range(chosen["volumes"] + 1, last + 1)
    times = {n: dump.dump_time(named, size, volumes=n, is_virtual=is_virtual).value for n in counts}
    best = min(times, key=lambda n: times[n])
    if times[best] * (1 + named.not_negative("repeatability_ratio")) < chosen["dump_s"]:
        return f"with {best} it takes {duration(times[best])}"
    return (
        f"{plural(last, 'volume')} gain next to nothing"
        if last == counts[0]
        else f"more, up to {last}, gain next to nothing"
    )


def _row(named: Machine, size: float, count: int, is_virtual: bool) -> NewRow:
    """The times with bounds that add the spread of the machine file to that of a single timing."""

    def times(machine: Machine) -> dict[str, Interval]:
        dumped = dump.dump_time(machine, size, volumes=count, is_virtual=is_virtual)
        return {"dump_s": dumped, "ipcs_s": dump.ipcs_time(machine, size, volumes=count)}

    def ask(machine: Machine) -> dict[str, float]:
        return {name: time.value for name, time in times(machine).items()}

    found, single = ask(named), times(named)
    ends = {
        name: (low * (single[name].low / found[name]), high * (single[name].high / found[name]))
        for name, (low, high) in spread.ends(named, ask, found).items()
    }
    return spread.bounded({"volumes": count, **found}, ends)


def _draw(rows: Sequence[NewRow], title: str, *notes: str) -> Picture:
    parts = (("dump", "stand-alone dump"), ("ipcs", "IPCS initialization"))
    long = [
        {"volumes": r["volumes"], "what": label, **{b: r[f"{p}{s}_s"] / 60 for b, s in _BOUNDS.items()}}
        for r in rows
        for p, label in parts
    ]
    colour = alt.Color("what:N", title=None, scale=alt.Scale(domain=[b for _, b in parts], range=[SERVICE, WAIT]))
    x = alt.X("volumes:O", title="volumes spanned", axis=alt.Axis(labelAngle=0))
    chart = banded(long, tuple(_BOUNDS), "elapsed time (minutes)", x=x, color=colour)
    return finished(chart, title, *notes)


_BOUNDS = {"value": "", "low": "_low", "high": "_high"}
