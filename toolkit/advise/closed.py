"""What aliases would do for volumes with a closed workload: all volumes of the box solved together."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from iosq.models.pav.answers import NO_STATIONS, Prediction, WhatIf, concluded_best
from iosq.models.pav.open_load import MOST_ALIASES
from iosq.toolkit.advise.aliases import steps
from iosq.toolkit.advise.box import opening
from iosq.toolkit.advise.finding import Aliases, Curve, Effect, Known, Span, Step
from iosq.toolkit.advise.window import spoken
from iosq.toolkit.predict import closed_load, headroom, measured
from iosq.toolkit.predict.elasticity import elasticity_scatter
from iosq.toolkit.predict.lake import weighted
from iosq.toolkit.predict.measured import Work
from iosq.toolkit.predict.sources import ANOTHER_BOX
from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed, share
from iosq.toolkit.show.records import by_platform
from iosq.toolkit.units import human_number

STEPS = 24
UNSEEN = "go beyond what was measured"


@dataclass(frozen=True)
class Crowd:
    """All volumes of a box in one interval, those in `waiting` with a closed workload.

    Rows have volume, system, io_rate, wait_ms, service_ms, exposures, read_ratio and the box's curve. trials: what the
    waiting ones were measured to do at other times.
    """

    rows: Sequence[Row]
    waiting: Sequence[bool]
    trials: Sequence[Work] = field(default=(), kw_only=True)

    @property
    def closed(self) -> list[Row]:
        """The rows of the waiting volumes."""
        return [row for row, waits in zip(self.rows, self.waiting, strict=True) if waits]

    counted: ClassVar[str] = "aliases"

    @property
    def aliases(self) -> int:
        """Aliases the poorest waiting volume has now."""
        return int(min(round(row["exposures"]) for row in self.closed)) - 1

    def counts(self, most: int) -> Sequence[int]:
        """Counts to try, from today's to `most`."""
        return range(self.aliases, max(most, self.aliases + 1) + 1)

    @property
    def pool(self) -> int | None:
        """Aliases they share; None where they have their own."""
        return None

    def solvable(self, known: Known) -> closed_load.Crowd:
        """The same for the solver."""
        row = self.rows[0]
        members = [_member(row, waits) for row, waits in zip(self.rows, self.waiting, strict=True)]
        measured = elasticity_scatter(row), row["in_service_max"] or 0.0
        eased = headroom.headroom(self.longest(known), known.headroom)
        return closed_load.Crowd(row["box"], members, *measured, self.pool, eased)

    def longest(self, known: Known) -> list[Row]:
        """The rows that matter for what is short: those with a good part of the queue."""
        return headroom.longest(self.closed, [row["queue_length"] for row in self.closed], known.headroom)

    @property
    def rate(self) -> float:
        """I/Os per second of the waiting volumes."""
        return float(sum(row["io_rate"] for row in self.closed))

    @property
    def queue(self) -> float:
        """I/Os of theirs that wait in the host."""
        return float(sum(row["queue_length"] for row in self.closed))

    @property
    def work(self) -> Work:
        """The waiting volumes together, as what was measured at other times is compared with."""
        rows, rate = self.closed, self.rate
        inside = float(sum(row["in_service"] for row in rows))
        reads = weighted((row["read_ratio"], row["io_rate"]) for row in rows)
        return _work(
            self.aliases, rate, inside, self.queue, rows[0].get("box_in_service"), reads, rows[0]["interval_start"]
        )

    @property
    def requesters(self) -> float:
        """I/Os of theirs that are outstanding: in the host and in the box."""
        return self.queue + float(sum(row["in_service"] for row in self.closed))


@dataclass(frozen=True)
class PoolCrowd(Crowd):
    """The same of volumes that draw on one pool of `size` aliases: those are the waiting ones."""

    size: int
    counted: ClassVar[str] = "aliases in the pool"

    @property
    def aliases(self) -> int:
        """Aliases in the pool now."""
        return self.size

    def counts(self, most: int) -> Sequence[int]:
        """Counts to try: about two dozen, and those that were measured."""
        step = max(1, (most - self.size) // STEPS)
        tried = {work.aliases for work in self.trials if work.aliases > self.size}
        counts = tried.union(range(self.size, max(most, self.size + 1) + step, step))
        return sorted(count for count in counts if count <= MOST_ALIASES)

    @property
    def pool(self) -> int | None:
        """The aliases they share."""
        return self.size


def trials(rows: Iterable[Row]) -> list[Work]:
    """What volumes were measured to do together at other times, with whatever aliases they had."""
    return [_trial(r) for r in rows]


def _trial(r: Row) -> Work:
    rate, inside, queue = r["trial_rate"], r["trial_in_service"], r["trial_queue"]
    in_box, reads, at = r.get("trial_box_in_service"), r["trial_read_ratio"], r["trial_start"]
    # times at which the number of aliases changed are not asked for
    return replace(_work(int(r["trial_aliases"]), rate, inside, queue, in_box, reads, at), seconds=r["trial_s"])


def _work(
    aliases: int, rate: float, inside: float, queue: float, in_box: float | None, reads: float | None, at: dt.datetime
) -> Work:
    """What volumes did together, beyond the I/Os of others in their box."""
    others = None if in_box is None else in_box - inside
    return Work(aliases, rate, 1e3 * queue / rate, 1e3 * inside / rate, reads, at, others)


def _member(row: Row, waits: bool) -> closed_load.Member:
    return closed_load.Member(
        row["volume"],
        row["io_rate"],
        row["in_service"],
        row["queue_length"],
        row["exposures"],
        row["read_ratio"],
        waits,
    )


@dataclass(frozen=True)
class Outlook:
    """What more aliases would do for a crowd.

    best: smallest count within 2 % of the best rate there is with `most` aliases; gain: the best rate more aliases
    give over today's; limit: the fullest station then, in words; given: what the user said; counts_measured: those that
    such work was measured with; settle: what a machine named has not seen, and what to do.
    """

    crowd: Crowd
    curve: Curve
    best: int
    gain: Span
    limit: str
    given: Known
    counts_measured: frozenset[int] = frozenset()
    settle: str = ""

    @property
    def is_measured(self) -> bool:
        """Whether such work ran with the best count; where today's is the best, with any other."""
        return self.best in self.counts_measured or (self.best == self.crowd.aliases and bool(self.counts_measured))

    @property
    def measured(self) -> str:
        """The same, to be added to what is said of it."""
        return ", as was measured" if self.is_measured else ""

    @property
    def known(self) -> bool:
        """Whether the box is known well enough to tell."""
        return self.curve.identifiable

    def step(self, count: int) -> Step:
        """What one count would do."""
        return next(s for s in self.curve.steps if s.count == count)

    @property
    def channel_used(self) -> float:
        """Use of the fullest channel to disks, 0..1; 0 where no record tells it."""
        return headroom.channel_used(self.crowd.longest(self.given))

    @property
    def is_channel_full(self) -> bool:
        """Whether more I/Os at once would queue for a channel."""
        return self.channel_used >= self.given.headroom["channel_full"]

    @property
    def fall(self) -> str:
        """What more aliases may do at worst, in words."""
        percent = round(100 * (1 - self.gain.low))
        return f"lower the rate by {percent} %" if percent > 0 else "give nothing"

    @property
    def gained(self) -> str:
        """The rise of the rate in words."""
        value, low, high = (round(100 * (times - 1)) for times in (self.gain.value, self.gain.low, self.gain.high))
        return f"{value} %" if value == low == high else f"{value} % ({low} % to {high} %)"

    @property
    def beyond(self) -> str:
        """Why no more than the best count, in words."""
        if self.best == self.curve.steps[-1].count and self.curve.basis.endswith(UNSEEN):
            return "what more than that would give was not measured"
        wait = self.step(self.best).wait_ms.value
        left = wait * self.step(self.best).io_rate.value / 1e3
        if left < 0.5:
            return "then each requester has an exposure"
        return "more than that add less than 2 %"

    @property
    def no_count(self) -> str:
        """The advice where no number of aliases is to be named: it can't be told, or they won't help."""
        now = f"(now {self.crowd.aliases})"
        if not self.known:
            more = human_number(self.gain.high)
            return (
                f"Unknown: more aliases {now} may {self.fall} or raise the rate to {more} times as much. {self.settled}"
            )
        fullest = "" if self.limit == NO_STATIONS or self.is_measured else f" ({self.limit})"
        return (
            f"Aliases will not help {now}{self.measured}: the rate would change by {self.gained}, the wait only moves "
            f"into the box{fullest}. Take work off the box, or look for a faster one (iosq advise migrate)"
        )

    @property
    def settled(self) -> str:
        """What would tell, where it isn't known."""
        if self.settle:
            return opening(self.settle)
        rows = self.crowd.longest(self.given)
        records, platform = headroom.missing_records(rows), rows[0]["platform"]
        # nothing that z/VM measures tells of the way to the data what these records do
        first = by_platform(platform, f"Ingest type {listed(records)} of the same time, name" if records else "")
        share = by_platform(platform, "no cache record tells it", "neither FCX108 nor MONWRITE shows reads")
        return (
            f"{first or 'Name'} the machine (iosq advise pav --machine NAME, with --system where boxes differ and "
            f"--read-ratio where {share}), or measure once with a few aliases: they can be taken away again"
        )

    @property
    def effect(self) -> Effect:
        """The response with the best count, or with the most where today's is best."""
        then, now = self.step(self.best).response_ms, self.step(self.crowd.aliases).response_ms
        if self.best == self.crowd.aliases:
            then = self.curve.steps[-1].response_ms
        basis = self.curve.basis, self.curve.identifiable
        return Effect("response at the peak", "ms", now.value, then.value, then.low, then.high, *basis)

    def aliases(self, helps: bool) -> Aliases:
        """The answer in short."""
        if not self.known:
            return Aliases("cant_tell", self.crowd.aliases)
        return Aliases("add" if helps else "wont_help", self.crowd.aliases, self.best, self.best)


def choose(outlooks: Sequence[Outlook], gain: float, in_vain: Sequence[Outlook] = ()) -> tuple[Outlook, list[Outlook]]:
    """The hour that loses most among those that aliases help, else among all; and those they help.

    Args:
        outlooks: one per hour; rows have `interval_lost_s`.
        gain: least rise of the rate that is a help.
        in_vain: those of them in which more aliases were measured to be none, whatever a curve says.
    """
    helped = [o for o in outlooks if o.gain.value > gain and not any(o is tried for tried in in_vain)]
    return max(helped or outlooks, key=lambda o: float(o.crowd.closed[0]["interval_lost_s"])), helped


def channels_full(o: Outlook, now: int) -> str:
    """More I/Os at once would queue for a channel; how many more go through it is unknown.

    Args:
        now: aliases there are now.
    """
    used = o.channel_used
    return (
        f"Can't be told (now {now}): the fullest channel to disks is {share(used)} used then, so that more "
        f"I/Os at once queue for it; at most {share(1 / used - 1)} more go through. First give these LCUs more "
        "or faster channels, or move other work off them; then measure again"
    )


def helped_when(helped: Sequence[Outlook], hours: int) -> str:
    """In how many of the hours aliases help, in words; nothing where it is all of them."""
    if len(helped) == hours:
        return ""
    row = max(helped, key=lambda o: o.gain.value).crowd.rows[0]
    return f"; it helps in {len(helped)} of {hours} hours, most at {spoken(row['local_start'], row['local_end'])}"


def outlook(crowd: Crowd, most: int, known: Known) -> Outlook:
    """Counts from today's to `most`, today's as measured.

    Raises:
        RequestError: a machine is named and the read share is not known.
    """
    what_if, told = measured.closed(crowd.solvable(known), crowd.counts(most), known, crowd.trials, crowd.work)
    predicted, basis = _reached(what_if, told)
    best = concluded_best([p.rate.value for p in predicted])
    most_rate = max(predicted[1:], key=lambda p: p.rate.value).rate
    gain = Span(*(getattr(most_rate, end) / crowd.rate for end in ("value", "low", "high")))
    known_enough = all(p.identifiable for p in predicted)
    curve = Curve(crowd.counted, crowd.aliases, steps(predicted), basis, known_enough)
    seen = frozenset(p.aliases for p in predicted if p.is_measured)
    tells = what_if.limit != NO_STATIONS or what_if.calibrated_on.startswith(ANOTHER_BOX)
    settle = what_if.settle.partition(": ")[2] if known.machine and tells else ""
    return Outlook(crowd, curve, predicted[best].aliases, gain, what_if.limit, known, seen, settle)


def _reached(what_if: WhatIf, told: str) -> tuple[Sequence[Prediction], str]:
    """The counts that the measurements say something about, if any beyond today's; else all, as bounds.

    Args:
        what_if: all counts.
        told: what was measured of other counts, in words.
    """
    said = closed_load.informative(what_if)
    if len(said) == len(what_if.predictions):
        return said, "; ".join(filter(None, [told, what_if.calibrated_on]))
    rests_on = told if all(p.is_measured for p in said[1:]) else "; ".join(filter(None, [told, what_if.calibrated_on]))
    return said, f"{rests_on}; more than {said[-1].aliases} aliases {UNSEEN}"
