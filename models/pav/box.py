"""One box as a curve X(n; read share, footprint): I/Os per second with n I/Os inside.

The form, in the order of a request's path (names are rows of `parameters.csv`; r reads, w = 1 - r writes, n I/Os):

    latency     Z = [r read_hit + w write aliased + r g(w) behind_writes] * queued,   g(w) = 1 - exp(-10 w)
    miss        m = max(0, 1 - cache / F) * x^s / (1 + x^s), x = F / cache_edge         only where F outgrows the cache
    arms        n = X Z + X a (1 + (n - 1) / n * (n - X Z) / arms_count),  a = m arm_ms / (1 - interference X w / Y)
                (approximate mean value analysis of balanced arms; destage uses part of their time)
    front end   X <- softmin(X, front_end_rate / (r + w write_front_end), front_end_corner)
    back end    X <- softmin(X, 1 / (w / Y(F) + r m arm_ms / arms_count), destage_corner)

with softmin(a, b, p) = (a^-p + b^-p)^(-1/p) and Y(F) the write ceiling of `iosq.models.pav.ceiling`. The form follows
all measurements of IBM, *z/VM Performance Report: z/VM PAV Exploitation*.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from iosq.models.arrays import Columns, Floats, Mask
from iosq.models.coverage import NORMAL_90
from iosq.models.pav.ceiling import power_ceiling
from iosq.models.pav.residual import FREEDOM, Left
from iosq.models.queueing.checks import positive, ratio
from iosq.toolkit.errors import RequestError
from iosq.toolkit.rows import csv_rows

Values = Mapping[str, Floats]
MIX_STRAYS = 3.0  # logarithm of the rate error per read share outside the fitted range; our choice, see the docs
TAILS = 3.0  # degrees of freedom of Student's t: heavy tails for outliers
REACH = 1.25  # factor on the largest fitted I/Os in the box and footprint up to which a curve is valid
MIX_REACH = 0.15  # the same for read shares, as a difference: pure reads don't follow from mixes
VARIED = 2.0  # ratio of largest to smallest I/Os in the box below which points do not show their effect
FLAT = 0.9  # if twice the I/Os in the box raise the rate by less, the box is full
EXACT = 1.001  # tolerance for the rounding of I/Os in the box in a file
FINE = 64  # random draws per error used
MOST = float(np.log(10))  # largest error of a rate (logarithm)


@dataclass(frozen=True)
class ParameterInfo:
    """A row of `parameters.csv`.

    median, spread (standard deviation of the logarithm): the family defaults, common to the boxes in the library;
    neutral, neutral_spread: the prior without other boxes, round and wide, that of the front end for one channel;
    kind: parameters of one kind differ by the same amount between boxes.
    """

    unit: str
    when: str
    kind: str
    meaning: str
    median: float
    spread: float
    neutral: float
    neutral_spread: float


@cache
def parameter_table() -> Mapping[str, ParameterInfo]:
    """All parameters of boxes by name, in the order of fitting."""
    return {row["name"]: _parameter(row) for row in csv_rows("iosq.models.pav", "parameters.csv")}


def _parameter(row: Mapping[str, str]) -> ParameterInfo:
    numbers = (float(row[n]) for n in ("median", "spread", "neutral", "neutral_spread"))
    return ParameterInfo(row["unit"], row["when"], row["kind"], row["meaning"], *numbers)


def parameter_names(misses: bool) -> tuple[str, ...]:
    """Names of the parameters of a box with or without cache misses."""
    return tuple(name for name, row in parameter_table().items() if misses or row.when == "always")


@dataclass(frozen=True)
class Box:
    """One box with its parameters by name.

    calibrated_on: text for the user; spreads: standard deviations of the parameters' logarithms; error_ratio: 90 % of
    rates were predicted within this in validation. draws: parameter sets that agree with the fitted points, arrays of
    equal length, empty if only one set is known; misfit, tails: scale and degrees of freedom of the relative error in
    addition to them; seen: the loads it was fitted to, None if not recorded; left: residuals of the curve at measured
    states, applied to nearby states.
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
        """I/Os per second of the whole box, an array of the load's shape: the median of its parameter sets."""
        if not self.draws:
            return self.likeliest_rate(load)
        return np.asarray(np.median(self.curves(load.flat()), axis=0).reshape(load.in_box.shape))

    def curves(self, load: "BoxLoad") -> Floats:
        """Rates of every parameter set, shape (sets, loads), each with its share of nearby residuals."""
        curves = _by_set(self.draws, load)
        return curves if self.left is None else curves * np.exp(self._left_by_set @ self.left.shares(load).T)

    def likeliest_rate(self, load: "BoxLoad") -> Floats:
        """The rate by only the file's values, at a fraction of the time of `rate`."""
        rate = throughput(self._own, load)
        return rate if self.left is None else rate * self.left.factor(load)

    @property
    def _own(self) -> Values:
        return {name: np.asarray(value, float) for name, value in self.values.items()}

    @cached_property
    def _left_by_set(self) -> Floats:
        """Residuals of each parameter set at the measured states; `left` has those of the median."""
        if self.left is None:
            return np.empty((0, 0))
        logs = np.log(_by_set(self.draws, self.left.load))
        return np.asarray(self.left.log_ratio + np.median(logs, axis=0) - logs)

    def rates(self, load: "BoxLoad", rng: np.random.Generator, count: int = 200) -> Floats:
        """Draw rates that might be measured, shape (count, loads).

        They follow from the fitted parameter sets, or from the validation error. At a measured state the error is that
        of its measurements. A row has the same error for all loads, so equal states get equal intervals, and similar
        states similar ones.
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
        """Utilisation of each station at these loads, by name; 1 is full."""
        values, r, w = self._own, load.read_ratio, 1 - load.read_ratio
        rate = self.likeliest_rate(load)
        front_end = rate * (r + w * values["write_front_end_ratio"]) / values["front_end_rate"]
        stations = {"front end": front_end, "destage": rate * w / write_ceiling(values, load)}
        if self.misses:
            arms_s = values["arm_ms"] / 1e3 / values["arms_count"]
            stations["arms"] = rate * r * _miss_ratio(values, load.footprint_gb) * arms_s
        return stations

    def reaches(self, load: "BoxLoad") -> Mask:
        """Mask of loads near those of the fit; all true if the fit's loads were not recorded."""
        return np.ones(load.in_box.shape, bool) if self.seen is None else self.seen.reaches(load, self._fewest)

    def away(self, load: "BoxLoad") -> Floats:
        """Factor by which a rate may be wrong, beyond its interval, because the load is outside the fitted range."""
        return np.ones(load.in_box.shape) if self.seen is None else self.seen.away(load, self._fewest)

    def nearest(self, load: "BoxLoad") -> "BoxLoad":
        """The loads, with at least the smallest number of I/Os in the box that the curve covers."""
        return replace(load, in_box=np.maximum(load.in_box, self._fewest))

    def unseen(self, load: "BoxLoad") -> str:
        """Text on what to measure if `reaches` is false, for the load with the most I/Os in the box."""
        if self.seen is None:
            return ""
        one = load.flat().pick([int(np.argmax(load.in_box))])
        return self.seen.unseen(one, self._fewest)

    @cached_property
    def _fewest(self) -> float:
        """I/Os in the box below which the rate is unknown, 0 if the curve covers all.

        If a box was full even with the fewest fitted I/Os, for any mix and the least data, then with half of them its
        rate may be anything from the same to half.
        """
        if self.seen is None:
            return 0.0
        state = BoxLoad.of(self.seen.in_box[0], self.seen.read_ratio, self.seen.footprint_gb[0], False, False)
        at, twice = (throughput(self._own, replace(state, in_box=n * state.in_box)) for n in (1, 2))
        return self.seen.in_box[0] if (at > FLAT * twice).all() else self.seen.fewest


@dataclass(frozen=True)
class BoxLoad(Columns):
    """The load on a box: arrays (or numbers) of one broadcast shape.

    in_box: I/Os in progress, over all volumes; read_ratio: reads over reads and writes;
    footprint_gb: data accessed, over all volumes; aliased: share of I/Os on volumes with more than one exposure in
    use; queued: share of I/Os on volumes with requests waiting in the host.
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
        """Check and broadcast; RequestError names impossible values."""
        positive(in_box=in_box, footprint_gb=footprint_gb)
        ratio(read_ratio=read_ratio, aliased=aliased, queued=queued)
        given = (in_box, read_ratio, footprint_gb, aliased, queued)
        return BoxLoad(*np.broadcast_arrays(*(np.asarray(value, float) for value in given)))


@dataclass(frozen=True)
class Seen:
    """Ranges of the loads a box was fitted to, smallest and largest; `aliased` as in `BoxLoad`."""

    in_box: tuple[float, float]
    read_ratio: tuple[float, float]
    footprint_gb: tuple[float, float]
    aliased: tuple[bool, bool]

    @staticmethod
    def of(load: BoxLoad) -> "Seen":
        inside, reads, footprint = (
            (float(a.min()), float(a.max())) for a in (load.in_box, load.read_ratio, load.footprint_gb)
        )
        return Seen(inside, reads, footprint, (bool(load.aliased.min()), bool(load.aliased.max())))

    def joined(self, load: BoxLoad) -> "Seen":
        """These ranges extended to include other loads."""
        pairs = zip(vars(self).values(), vars(Seen.of(load)).values(), strict=True)
        return Seen(*((min(mine[0], its[0]), max(mine[1], its[1])) for mine, its in pairs))

    def reaches(self, load: BoxLoad, fewest: float) -> Mask:
        """Mask of loads inside the ranges, with tolerances; `fewest` is the smallest known number in the box (0: the
        curve starts at 0)."""
        inside = self._knows(load.in_box, fewest)
        inside &= load.footprint_gb <= REACH * self.footprint_gb[1]
        low, high = self.read_ratio
        return np.asarray(inside & (load.read_ratio >= low - MIX_REACH) & (load.read_ratio <= high + MIX_REACH))

    def _knows(self, in_box: Floats, fewest: float) -> Mask:
        """Mask of numbers in the box near the measured ones."""
        reach = REACH if self.fewest == 0 else EXACT
        return np.asarray((in_box <= reach * self.in_box[1]) & (in_box >= fewest / EXACT))

    @property
    def fewest(self) -> float:
        """I/Os in the box below which the rate is unknown; 0 if the measured numbers vary enough for a curve."""
        return self.in_box[0] if self.in_box[1] < VARIED * self.in_box[0] else 0.0

    def away(self, load: BoxLoad, fewest: float) -> Floats:
        """Factor by which a curve may be wrong, 1 inside the ranges; `fewest` as for `reaches`.

        A rate changes at most in proportion to the number in the box, and is assumed to fall at most in proportion to
        the data; for other mixes the factor is that of published boxes.
        """
        low, high = self.read_ratio
        mix = np.maximum(np.maximum(low - load.read_ratio, load.read_ratio - high), 0.0)
        inside = np.maximum(np.maximum(load.in_box / self.in_box[1], fewest / load.in_box), 1.0)
        data = np.maximum(load.footprint_gb / self.footprint_gb[1], 1.0)
        return np.asarray(inside * data * np.exp(MIX_STRAYS * mix))

    def unseen(self, load: BoxLoad, fewest: float) -> str:
        """Text on what is outside the ranges, and the remedy, for one load; `fewest` as for `reaches`."""
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
        values: parameter arrays broadcast with the load (columns of parameter sets give a row per set).
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
    """Student's t as the medians of `count` equal parts, in random order: its quantiles don't depend on the draw."""
    drawn = np.sort(rng.standard_t(freedom, count * FINE))
    return np.asarray(rng.choice(drawn[FINE // 2 :: FINE], count, replace=False))


def softmin(a: Floats, b: Floats, corner: Floats) -> Floats:
    """A smooth minimum: (a^-p + b^-p)^(-1/p); b may be infinite."""
    return np.exp(-np.logaddexp(-corner * np.log(a), -corner * np.log(b)) / corner)


def write_ceiling(values: Values, load: BoxLoad) -> Floats:
    """Most writes per second of the back end at this footprint."""
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
    """Interpolate between two values of a parameter by the share of I/Os with the second, to avoid a step."""
    return np.asarray(without + share * (with_ - without))


def _miss_ratio(values: Values, footprint_gb: Floats) -> Floats:
    beyond = values["cache_edge_sharpness"] * np.log(footprint_gb / values["cache_edge_gb"])
    cold = 0.5 + 0.5 * np.tanh(beyond / 2)  # x^s / (1 + x^s) without overflow
    return np.asarray(np.maximum(0, 1 - values["cache_gb"] / footprint_gb) * cold)


def _rate_through_arms(values: Values, load: BoxLoad, latency: Floats, miss: Floats, ceiling: Floats) -> Floats:
    """The rate with n I/Os in the box and at the arms: the smaller root of a quadratic.

    (n - X Z) (1 - t X) = X d (1 + c (n - X Z)) with t the share of arm time used by destage per I/O and
    c = (n - 1) / n / arms_count; above the smaller root X Z would exceed n.
    """
    n = np.minimum(load.in_box, values["back_end_limit_count"])
    demand = miss * values["arm_ms"]
    taken = values["destage_interference_ratio"] * (1 - load.read_ratio) / ceiling / 1e-3
    crowding = np.maximum(n - 1, 0) / n / values["arms_count"]
    both = n * (taken + crowding * demand)
    linear = latency + both + demand
    root = np.sqrt(np.maximum(linear**2 - 4 * latency * both, 0))
    return np.asarray(2e3 * n / (linear + root))
