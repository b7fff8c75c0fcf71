"""One box as a curve: how many I/Os per second it completes while n are inside, X(n; read share, footprint).

The form, in the order a request meets it (names are rows of `parameters.csv`; r reads, w = 1 - r writes, n in the box):

    latency     Z = [r read_hit + w write aliased + r g(w) behind_writes] * queued,   g(w) = 1 - exp(-10 w)
    miss        m = max(0, 1 - cache / F) * x^s / (1 + x^s), x = F / cache_edge         only where F outgrows the cache
    arms        n = X Z + X a (1 + (n - 1) / n * (n - X Z) / arms_count),  a = m arm_ms / (1 - interference X w / Y)
                (approximate mean value analysis of balanced arms; destage takes its share of their time)
    front end   X <- softmin(X, front_end_rate / (r + w write_front_end), front_end_corner)
    back end    X <- softmin(X, 1 / (w / Y(F) + r m arm_ms / arms_count), destage_corner)

with softmin(a, b, p) = (a^-p + b^-p)^(-1/p) and Y(F) the write ceiling of `iosq.models.pav.ceiling`. The form follows
the measurements of IBM, *z/VM Performance Report: z/VM PAV Exploitation*, and was found while looking at all of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike, NDArray

from iosq.models.coverage import NORMAL_90
from iosq.models.pav.ceiling import power_ceiling
from iosq.models.pav.residual import FREEDOM, Left
from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import csv_rows

Floats = NDArray[np.float64]
Values = Mapping[str, Floats]
MIX_STRAYS = 3.0  # logarithm of the rate error per share of reads outside the seen range; ours, see the docs
TAILS = 3.0  # degrees of freedom of Student's t: single measurements stray far
REACH = 1.25  # a curve is trusted a quarter beyond the numbers in the box and the footprints it was measured at
MIX_REACH = 0.15  # and this far beyond the read shares: pure reads don't follow from mixes
VARIED = 2.0  # below this spread of the I/Os in the box, points do not show its effect
FLAT = 0.9  # if twice the I/Os in the box raise the rate by less, the box is full
EXACT = 1.001  # how far a file's rounding carries a number in the box
FINE = 64  # draws of an error for each that is used
MOST = float(np.log(10))  # no rate is off by more


@dataclass(frozen=True)
class ParameterInfo:
    """A row of `parameters.csv`.

    median, spread (standard deviation of the logarithm): the family defaults, what the boxes in the library have in
    common; neutral, neutral_spread: what is believed with no box in view, round numbers and wide, the front end's for
    one channel; kind: parameters of one kind differ by the same amount between boxes.
    """

    name: str
    unit: str
    when: str
    median: float
    spread: float
    kind: str
    neutral: float
    neutral_spread: float
    meaning: str


@cache
def parameter_table() -> tuple[ParameterInfo, ...]:
    """Every parameter a box can have, in the order they are fitted."""
    rows = csv_rows("iosq.models.pav", "parameters.csv")
    return tuple(_parameter(row) for row in rows)


def _parameter(row: Mapping[str, str]) -> ParameterInfo:
    median, spread, neutral, wide = (float(row[n]) for n in ("median", "spread", "neutral", "neutral_spread"))
    return ParameterInfo(
        row["name"], row["unit"], row["when"], median, spread, row["kind"], neutral, wide, row["meaning"]
    )


def parameter_names(misses: bool) -> tuple[str, ...]:
    """Names of the parameters a box needs, with or without cache misses."""
    return tuple(row.name for row in parameter_table() if misses or row.when == "always")


@dataclass(frozen=True)
class Box:
    """One box with its parameters by name.

    calibrated_on: for the user; spreads: standard deviations of the parameters' logarithms; error_ratio: 90 % of rates
    were predicted within this where the box was validated. draws: parameter sets that agree with what the box was
    fitted to, each an array of equal length, empty where only one set is known; misfit, tails: scale and degrees of
    freedom of the relative error that comes on top of them; seen: the loads it was
    fitted to, None if not recorded; left: what the curve leaves out at measured states, carried to others.
    """

    name: str
    values: Mapping[str, float]
    calibrated_on: str = ""
    spreads: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    error_ratio: float = 0.1
    draws: Values = field(default_factory=lambda: MappingProxyType({}))
    misfit: float = 0.0
    tails: float = TAILS
    seen: "Seen | None" = None
    left: Left | None = None

    def __post_init__(self) -> None:
        for name in parameter_names(self.misses):
            if name not in self.values:
                raise RequestError(
                    f"box {self.name} lacks the parameter", place=name, remedy="add it to its machine file"
                )
            positive(**{name: self.values[name]})

    @property
    def misses(self) -> bool:
        """True if reads can miss: the box has arms."""
        return "arms_count" in self.values

    def rate(self, load: "BoxLoad") -> Floats:
        """I/Os per second of the whole box, an array of the load's shape: the middle of its parameter sets."""
        if not self.draws:
            return self.likeliest_rate(load)
        return np.asarray(np.median(self.curves(load.flat()), axis=0).reshape(load.in_box.shape))

    def curves(self, load: "BoxLoad") -> Floats:
        """Rates of every parameter set, shape (sets, loads), each with its share of the residuals nearby."""
        curves = _by_set(self.draws, load)
        return curves if self.left is None else curves * np.exp(self._left_by_set @ self.left.shares(load).T)

    def likeliest_rate(self, load: "BoxLoad") -> Floats:
        """The rate by the file's values alone, at a fraction of the time."""
        rate = throughput(self._own, load)
        return rate if self.left is None else rate * self.left.factor(load)

    @property
    def _own(self) -> Values:
        return {name: np.asarray(value, float) for name, value in self.values.items()}

    @cached_property
    def _left_by_set(self) -> Floats:
        """Residuals of each parameter set at the measured states; `left` is that of their median."""
        if self.left is None:
            return np.empty((0, 0))
        logs = np.log(_by_set(self.draws, self.left.load))
        return np.asarray(self.left.log_ratio + np.median(logs, axis=0) - logs)

    def rates(self, load: "BoxLoad", rng: np.random.Generator, count: int = 200) -> Floats:
        """Rates that might be measured, shape (count, loads).

        Under the parameter sets the box was fitted with, or scattered by the error it was validated with. A state that
        was measured is off by no more than measurements of it differ. In one row the error is the same for all loads:
        equal states get equal intervals, near ones near ones.
        """
        if not self.draws:
            spread = self.error_ratio / NORMAL_90
            return np.asarray(self.rate(load) * np.exp(spread * rng.standard_normal((count, 1))))
        curves = self.curves(load)
        chosen = rng.choice(len(curves), count, replace=count > len(curves))
        return np.asarray(curves[chosen] * np.exp(self._error(load, rng, count)))

    def _error(self, load: "BoxLoad", rng: np.random.Generator, count: int) -> Floats:
        error = np.clip(self.misfit * _even_t(self.tails, rng, count), -MOST, MOST)[:, None]
        if self.left is None:
            return np.asarray(error)
        known = self.left.measured(load)
        own = np.outer(_even_t(FREEDOM, rng, count), self.left.error(load))
        return np.asarray(error + known * (own - error))

    def utilization(self, load: "BoxLoad") -> dict[str, Floats]:
        """Utilisation of each station at these loads, by name; 1 is its ceiling."""
        values, r, w = self._own, load.read_ratio, 1 - load.read_ratio
        rate = self.likeliest_rate(load)
        front_end = rate * (r + w * values["write_front_end_ratio"]) / values["front_end_rate"]
        stations = {"front end": front_end, "destage": rate * w / write_ceiling(values, load)}
        if self.misses:
            arms_s = values["arm_ms"] / 1e3 / values["arms_count"]
            stations["arms"] = rate * r * _miss_ratio(values, load.footprint_gb) * arms_s
        return stations

    def reaches(self, load: "BoxLoad") -> NDArray[np.bool_]:
        """True if the box is known at these loads, near those of its fit; always true if they were not recorded."""
        return np.ones(load.in_box.shape, bool) if self.seen is None else self.seen.reaches(load, self._fewest)

    def away(self, load: "BoxLoad") -> Floats:
        """Factor by which a rate may be wrong, beyond its interval, since the box never saw such a load."""
        return np.ones(load.in_box.shape) if self.seen is None else self.seen.away(load, self._fewest)

    def nearest(self, load: "BoxLoad") -> "BoxLoad":
        """The same loads with the smallest number in the box that the curve covers."""
        return replace(load, in_box=np.maximum(load.in_box, self._fewest))

    def unseen(self, load: "BoxLoad") -> str:
        """What to measure if `reaches` is false, in words; of several loads for the one with most in the box."""
        if self.seen is None:
            return ""
        one = load.flat().pick([int(np.argmax(load.in_box))])
        return self.seen.unseen(one, self._fewest)

    @cached_property
    def _fewest(self) -> float:
        """I/Os in the box below which nothing is known, 0 if a curve covers them.

        A box that was full with the fewest I/Os it saw, of any mix and the least data, may be as full with fewer, or
        half as fast with half of them.
        """
        if self.seen is None:
            return 0.0
        state = BoxLoad.of(self.seen.in_box[0], self.seen.read_ratio, self.seen.footprint_gb[0], False, False)
        at, twice = (throughput(self._own, replace(state, in_box=n * state.in_box)) for n in (1, 2))
        return self.seen.in_box[0] if (at > FLAT * twice).all() else self.seen.fewest


@dataclass(frozen=True)
class BoxLoad:
    """The load on a box: arrays (or numbers) that broadcast.

    in_box: I/Os in progress, all volumes together; read_ratio: reads over reads and writes;
    footprint_gb: data touched, all volumes together; aliased: share of I/Os on volumes with more than one exposure at
    work; queued: share on volumes whose requests wait in the host.
    """

    in_box: Floats
    read_ratio: Floats
    footprint_gb: Floats
    aliased: Floats
    queued: Floats

    @staticmethod
    def of(
        in_box: ArrayLike, read_ratio: ArrayLike, footprint_gb: ArrayLike, aliased: ArrayLike, queued: ArrayLike
    ) -> "BoxLoad":
        """Checked and broadcast; RequestError names impossible values."""
        positive(in_box=in_box, footprint_gb=footprint_gb)
        ratio(read_ratio=read_ratio, aliased=aliased, queued=queued)
        given = (in_box, read_ratio, footprint_gb, aliased, queued)
        return BoxLoad(*np.broadcast_arrays(*(np.asarray(value, float) for value in given)))

    def __len__(self) -> int:
        return int(self.in_box.size)

    def joined(self, other: "BoxLoad") -> "BoxLoad":
        """These loads and others, in one dimension."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return BoxLoad(*(np.concatenate([np.ravel(mine), np.ravel(its)]) for mine, its in pairs))

    def flat(self) -> "BoxLoad":
        """The same loads in one dimension."""
        return BoxLoad(*(np.ravel(part) for part in vars(self).values()))

    def pick(self, index: ArrayLike) -> "BoxLoad":
        """The loads at these positions (or under this mask)."""
        at = np.asarray(index)
        return BoxLoad(*(part[at] for part in vars(self).values()))


@dataclass(frozen=True)
class Seen:
    """The loads a box was fitted to: smallest and largest of each; `aliased` as in `BoxLoad`."""

    in_box: tuple[float, float]
    read_ratio: tuple[float, float]
    footprint_gb: tuple[float, float]
    aliased: tuple[bool, bool]

    @staticmethod
    def of(load: BoxLoad) -> "Seen":
        """The ranges of these loads."""
        inside, reads, footprint = (
            (float(a.min()), float(a.max())) for a in (load.in_box, load.read_ratio, load.footprint_gb)
        )
        return Seen(inside, reads, footprint, (bool(load.aliased.min()), bool(load.aliased.max())))

    def joined(self, load: BoxLoad) -> "Seen":
        """These ranges and those of other loads."""
        other = Seen.of(load)
        inside, reads, data = (
            (min(mine[0], its[0]), max(mine[1], its[1]))
            for mine, its in (
                (self.in_box, other.in_box),
                (self.read_ratio, other.read_ratio),
                (self.footprint_gb, other.footprint_gb),
            )
        )
        aliased = self.aliased[0] and other.aliased[0], self.aliased[1] or other.aliased[1]
        return Seen(inside, reads, data, aliased)

    def reaches(self, load: BoxLoad, fewest: float) -> NDArray[np.bool_]:
        """Whether a load is within, give or take, where nothing is known below `fewest` in the box (0: a curve starts
        at none)."""
        inside = self._knows(load.in_box, fewest)
        inside &= load.footprint_gb <= REACH * self.footprint_gb[1]
        low, high = self.read_ratio
        return np.asarray(inside & (load.read_ratio >= low - MIX_REACH) & (load.read_ratio <= high + MIX_REACH))

    def _knows(self, in_box: Floats, fewest: float) -> NDArray[np.bool_]:
        """Whether these numbers in the box are near those that were measured."""
        reach = REACH if self.fewest == 0 else EXACT
        return np.asarray((in_box <= reach * self.in_box[1]) & (in_box >= fewest / EXACT))

    @property
    def fewest(self) -> float:
        """I/Os in the box below which nothing is known: a single number of them makes no curve."""
        return self.in_box[0] if self.in_box[1] < VARIED * self.in_box[0] else 0.0

    def away(self, load: BoxLoad, fewest: float) -> Floats:
        """By what factor a curve may be off there: 1 inside; `fewest` as for `reaches`.

        A rate changes with the number in the box by its ratio at most, and is taken to fall with the data by theirs at
        worst; of other mixes nothing is known but how far published boxes strayed.
        """
        low, high = self.read_ratio
        mix = np.maximum(np.maximum(low - load.read_ratio, load.read_ratio - high), 0.0)
        inside = np.maximum(np.maximum(load.in_box / self.in_box[1], fewest / load.in_box), 1.0)
        data = np.maximum(load.footprint_gb / self.footprint_gb[1], 1.0)
        return np.asarray(inside * data * np.exp(MIX_STRAYS * mix))

    def unseen(self, load: BoxLoad, fewest: float) -> str:
        """What lies outside the known range, and the remedy, for one load; `fewest` as for `reaches`."""
        inside, reads, data = (float(part.item()) for part in (load.in_box, load.read_ratio, load.footprint_gb))
        low, high = self.read_ratio
        below = inside < fewest / EXACT
        saw = f"it saw {self.in_box[0]:.3g} and more" if below else f"it saw {self.in_box[1]:.0f}"
        beyond = {
            f"about {inside:.{0 if inside >= 1 else 1}f} I/Os in the box ({saw})": not self._knows(load.in_box, fewest),
            f"{data:.3g} GB of data (it saw {self.footprint_gb[1]:.3g})": data > REACH * self.footprint_gb[1],
            f"{100 * reads:.0f} % reads (it saw {100 * low:.0f} to {100 * high:.0f} %)": (
                not low - MIX_REACH <= reads <= high + MIX_REACH
            ),
        }
        named = " and ".join(text for text, is_so in beyond.items() if is_so)
        return f"the machine was not fitted to {named}: measure that and fit it (iosq simulate fit)"


def throughput(values: Values, load: BoxLoad) -> Floats:
    """X: I/Os per second of the box.

    Args:
        values: parameter arrays that broadcast against the load (a column of parameter sets gives a row per set).
        load: the states to evaluate.
    """
    r, w = load.read_ratio, 1 - load.read_ratio
    ceiling = write_ceiling(values, load)
    latency = _latency_ms(values, load)
    if "arms_count" in values:
        miss = _miss_ratio(values, load.footprint_gb)
        inside = _rate_through_arms(values, load, latency, miss, ceiling)
        back_end_s = w / ceiling + r * miss * values["arm_ms"] / 1e3 / values["arms_count"]
    else:
        inside, back_end_s = load.in_box / latency * 1e3, w / ceiling
    front_end = values["front_end_rate"] / (r + w * values["write_front_end_ratio"])
    inside = softmin(inside, front_end, values["front_end_corner"])
    with np.errstate(divide="ignore"):
        return softmin(inside, 1 / back_end_s, values["destage_corner"])


def _by_set(sets: Values, load: BoxLoad) -> Floats:
    """Rates of each parameter set, shape (sets, loads)."""
    return throughput({name: column[:, None] for name, column in sets.items()}, load)


def _even_t(freedom: float, rng: np.random.Generator, count: int) -> Floats:
    """Student's t, in random order the middles of `count` equal parts: its quantiles don't hang on the draw."""
    drawn = np.sort(rng.standard_t(freedom, count * FINE))
    return np.asarray(rng.choice(drawn[FINE // 2 :: FINE], count, replace=False))


def softmin(a: Floats, b: Floats, corner: Floats) -> Floats:
    """A smooth minimum: (a^-p + b^-p)^(-1/p); b may be infinite."""
    return np.exp(-np.logaddexp(-corner * np.log(a), -corner * np.log(b)) / corner)


def write_ceiling(values: Values, load: BoxLoad) -> Floats:
    """Most writes per second the back end takes at this footprint."""
    spread = values["destage_footprint_gb"] / load.footprint_gb
    ceiling = power_ceiling(values["destage_rate"], spread, values["destage_exponent"])
    return np.asarray(ceiling * _blend(load.aliased, values["base_destage_ratio"], np.ones(())))


def _latency_ms(values: Values, load: BoxLoad) -> Floats:
    r, w = load.read_ratio, 1 - load.read_ratio
    some_writes = -np.expm1(-10 * w)
    behind_writes = _blend(load.aliased, values["read_beside_writes_base_ms"], values["read_beside_writes_alias_ms"])
    write = values["write_ms"] * _blend(load.aliased, np.ones(()), values["aliased_write_ratio"])
    queued = 1 + load.queued * (values["queued_latency_ratio"] - 1) * some_writes
    return np.asarray((r * values["read_hit_ms"] + w * write + r * some_writes * behind_writes) * queued)


def _blend(share: Floats, without: Floats, with_: Floats) -> Floats:
    """Between two values of a parameter, by the share of I/Os that the second is for: no cliff between them."""
    return np.asarray(without + share * (with_ - without))


def _miss_ratio(values: Values, footprint_gb: Floats) -> Floats:
    beyond = values["cache_edge_sharpness"] * np.log(footprint_gb / values["cache_edge_gb"])
    cold = 0.5 + 0.5 * np.tanh(beyond / 2)  # x^s / (1 + x^s) without overflow
    return np.asarray(np.maximum(0, 1 - values["cache_gb"] / footprint_gb) * cold)


def _rate_through_arms(values: Values, load: BoxLoad, latency: Floats, miss: Floats, ceiling: Floats) -> Floats:
    """The rate at which the population in the box is accounted for: the smaller root of a quadratic.

    (n - X Z) (1 - t X) = X d (1 + c (n - X Z)) with t the share of arm time that destage takes per I/O and
    c = (n - 1) / n / arms_count; beyond the smaller root X Z would exceed n.
    """
    n = np.minimum(load.in_box, values["back_end_limit_count"])
    demand = miss * values["arm_ms"]
    taken = values["destage_interference_ratio"] * (1 - load.read_ratio) / ceiling / 1e-3
    crowding = np.maximum(n - 1, 0) / n / values["arms_count"]
    both = n * (taken + crowding * demand)
    linear = latency + both + demand
    root = np.sqrt(np.maximum(linear**2 - 4 * latency * both, 0))
    return np.asarray(2e3 * n / (linear + root))
