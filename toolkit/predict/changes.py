"""Effect of one changed part on the volumes of a lake: zHyperLink, channels, mirror distance, back end."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from iosq.models import channel
from iosq.models.change import UNKNOWN, Effect, Volume, back_end, channels, mirror, zhyperlink
from iosq.models.machine import load as machine
from iosq.models.queueing.checks import positive
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import alt
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.machines import of_kind
from iosq.toolkit.rows import NewRow, Row
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.show.theme import SERVICE, WAIT, Picture, finished
from iosq.toolkit.show.values import plain_rows
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask, load
from iosq.toolkit.units import human_number

VOLUMES = load(__package__, "changes.sql")
SHOWN = 20  # volumes in the chart
GROWTH = "growth"  # a change of the load, see grown_load
OPTIONS = {"old": "--from", "new": "--to", "km": "--km", "back_end_ms": "--back-end-ms", "growth": "--growth"}
TAKES: Mapping[str, Sequence[str]] = {
    "zhyperlink": (),
    "channels": ("old", "new"),
    "mirror": ("km",),
    "back-end": ("back_end_ms",),
    GROWTH: ("growth",),
}
PARTS = tuple(field.name for field in fields(Volume))  # the four times first


@dataclass(frozen=True)
class Change:
    """What changes, and its numbers: channels from one machine file to another, km of mirror, ms of a back-end read.

    growth: rates after the change / rates now.

    Raises:
        RequestError: an unknown change, or a number that belongs to another one.
    """

    what: str
    old: str | None = None
    new: str | None = None
    km: float | None = None
    back_end_ms: float | None = None
    growth: float | None = None

    def __post_init__(self) -> None:
        if self.what not in TAKES:
            raise RequestError(f"unknown change {self.what!r}", place="CHANGE", remedy=f"choose {', '.join(TAKES)}")
        for name, option in OPTIONS.items():
            if getattr(self, name) is not None and name not in TAKES[self.what]:
                raise RequestError(f"does not belong to the change {self.what}", place=option, remedy="leave it out")

    @property
    def times(self) -> float:
        """Growth of the load; RequestError if it is missing or impossible."""
        return _above_zero(self.growth, "--growth", "no growth is given", "say how many times the rates, as 1.3")

    def effect(self) -> Callable[[Volume], Effect]:
        """The effect as a function of a volume; RequestError if a number it needs is missing."""
        return KINDS[self.what].made(self)


@dataclass(frozen=True)
class Kind:
    """A kind of change: title (a format of `Change`), effect, reason why volumes have no answer, and assumptions."""

    title: str
    made: Callable[[Change], Callable[[Volume], Effect]]
    lacks: str
    notes: tuple[str, ...]


def _above_zero(number: float | None, option: str, missing: str, remedy: str) -> float:
    if number is None:
        raise RequestError(missing, place=option, remedy=remedy)
    positive(**{option: number})
    return number


def _zhyperlink(change: Change) -> Callable[[Volume], Effect]:  # noqa: ARG001 - same signature as the others
    link = machine("zhyperlink")
    return lambda volume: zhyperlink(volume, link)


def _channels(change: Change) -> Callable[[Volume], Effect]:
    old, new = (_channel(name, option) for name, option in ((change.old, "--from"), (change.new, "--to")))
    return lambda volume: channels(volume, old, new)


def _channel(name: str | None, option: str) -> channel.Channel:
    if name is None:
        raise RequestError("no channel is named", place=option, remedy="iosq describe machine lists them")
    return channel.from_machine(of_kind(name, "channel", option))


def _mirror(change: Change) -> Callable[[Volume], Effect]:
    km = _above_zero(change.km, "--km", "no distance is given", "say how much farther the second box will be")
    return lambda volume: mirror(volume, km)


def _back_end(change: Change) -> Callable[[Volume], Effect]:
    positive(**{"--back-end-ms": change.back_end_ms})
    return lambda volume: back_end(volume, change.back_end_ms)


KINDS: Mapping[str, Kind] = {
    "zhyperlink": Kind(
        "zHyperLink",
        _zhyperlink,
        "no cache statistics show which of their reads are hits",
        (
            "eligible at most: reads found in cache; at least: those that data set records (SMF 42.6, medium) count as "
            "eligible and not attempted. Without such records the upper end is today's response: only some software "
            "asks for synchronous reads (Db2 does)",
            "not eligible: writes, read misses, boxes more than 150 m away",
            "a synchronous read keeps its processor busy while it waits",
        ),
    ),
    "channels": Kind(
        "{new} in place of {old}",
        _channels,
        "no cache statistics show the bytes of their I/Os",
        ("the lower end takes the difference of the unloaded latencies, the upper end that of the link times alone",),
    ),
    "mirror": Kind(
        "mirror {km:g} km farther",
        _mirror,
        "",
        ("each write takes one (lower end) or two (upper end) round trips of 0.01 ms per km; reads take none",),
    ),
    "back-end": Kind(
        "another back end",
        _back_end,
        "no cache statistics show their read misses and the back end's time for them",
        ("read misses take the new time in place of the one in the cache statistics; writes go to NVS as now",),
    ),
}


def lake_answer(con: Connection, change: Change) -> Answer:
    """Response of each volume of a lake now and after the change, as means over the span; the most I/O time first.

    Raises:
        RequestError: an unknown change, a number it needs is missing, or no volume did any I/O.
    """
    effect, kind = change.effect(), KINDS[change.what]
    rows = [_row(r, effect) for r in ask(con, VOLUMES).to_pylist()]
    if not rows:
        raise RequestError("no volume did any I/O", remedy="ask for others")
    known = [r for r in rows if r["after_low_ms"] is not None]
    title = kind.title.format(**vars(change))
    texts = [_overall(known, title), *kind.notes] if known else []
    if len(known) < len(rows):
        lacks = f" or {kind.lacks}" if kind.lacks else ""
        texts.append(f"unknown for {plural(len(rows) - len(known), 'volume')} of {len(rows)}: no IOSQ time{lacks}")
    synchronous = sum(r["sync_read_rate"] or 0.0 for r in rows)
    if change.what == "zhyperlink" and synchronous:
        texts.append(f"{human_number(synchronous)} reads per s are synchronous already; they are not in these numbers")
    shown = [{**r, "name": f"{r['volume']} on {r['system']}"} for r in known[:SHOWN]]
    which = "volumes with most I/Os in progress, means over the span"
    picture = (lambda: draw(shown, _overall(known, title), which)) if known else None
    return Answer(tuple(rows), tuple(texts), {"change": change.what}, picture, ("platform",))


def _row(measured: Row, effect: Callable[[Volume], Effect]) -> NewRow:
    known = all(measured[name] is not None for name in PARTS[:4])
    volume = Volume(**{name: measured[name] for name in PARTS}) if known else None
    after = effect(volume) if volume else UNKNOWN
    return {
        **{name: measured[name] for name in ("platform", "system", "volume", "io_rate")},
        "response_ms": volume.response_ms if volume else None,
        "after_ms": after.low_ms if after.low_ms == after.high_ms else None,
        "after_low_ms": after.low_ms,
        "after_high_ms": after.high_ms,
        "share_ratio": after.share,
        "sync_read_rate": measured["sync_read_rate"],
    }


def _overall(rows: Sequence[Row], title: str) -> str:
    rate = sum(r["io_rate"] for r in rows)
    now, low, high = (
        sum(r["io_rate"] * r[name] for r in rows) / rate for name in ("response_ms", "after_low_ms", "after_high_ms")
    )
    ends = f"{human_number(low)} ms" if low == high else f"{human_number(low)} to {human_number(high)} ms"
    return f"{title}: mean response {human_number(now)} ms now, {ends} afterwards ({plural(len(rows), 'volume')})"


def draw(rows: Sequence[Row], title: str, which: str) -> Picture:
    """Chart of rows in order: `name`, `response_ms` now, and `after_low_ms` to `after_high_ms`."""
    order = [r["name"] for r in rows]
    base = alt.Chart(alt.InlineData(values=plain_rows(rows))).encode(y=alt.Y("name:N", title=None, sort=order))
    bars = base.mark_bar(color=SERVICE, stroke=SERVICE, strokeWidth=3, height=8).encode(
        x=alt.X("after_low_ms:Q", title="response time (ms per I/O): now (point), afterwards (bar)"),
        x2="after_high_ms:Q",
    )
    now = base.mark_point(color=WAIT, filled=True, size=60).encode(x="response_ms:Q")
    drawn = (bars + now).properties(width=560, height=alt.Step(18))
    return finished(drawn, title, which)
