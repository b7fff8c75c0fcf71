"""PAV what-if from numbers: a closed load (a number of requesters) or an open one (arrivals per second)."""

from dataclasses import dataclass, replace

import numpy as np

from iosq.models.pav.answers import Measured, RateSource, WhatIf
from iosq.models.pav.box import BoxLoad
from iosq.models.pav.closed import load_now, what_if_closed
from iosq.models.pav.open_answers import what_if_open, what_if_pool
from iosq.models.pav.open_load import MOST_ALIASES, OpenVolumes
from iosq.models.pav.power_curve import PowerCurve
from iosq.models.pav.volume import ClosedVolumes
from iosq.models.queueing.checks import count, not_negative, positive, stable
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import open_load, pav_rows, sources
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.given import MOST_VOLUMES, Given
from iosq.toolkit.predict.scatter import CLOSED, of_measured_means
from iosq.toolkit.show.numbers import plural

DOUBT = 0.1  # requesters and Little's law may differ by this share without a note
SEED = 1


@dataclass(frozen=True)
class Numbers:
    """Given values of each of `volumes` equal volumes: I/Os per second, ms per I/O, GB touched.

    `service_ms` is pend + disc + conn; None for it, the rate or the requesters if not given. `conn_ms` is the connect
    part, 0 if not given. `pool`: aliases of the LCU now, if they are shared.
    """

    rate: float | None = None
    wait_ms: float = 0.0
    service_ms: float | None = None
    read_ratio: float = 0.5
    requesters: float | None = None
    exposures: int = 1
    volumes: int = 1
    footprint_gb: float | None = None
    pool: int | None = None
    conn_ms: float = 0.0

    def __post_init__(self) -> None:
        positive(**{"--rate": self.rate, "--service-ms": self.service_ms, "--requesters": self.requesters})
        not_negative(**{"--wait-ms": self.wait_ms, "--conn-ms": self.conn_ms})
        if self.service_ms is not None and self.conn_ms > self.service_ms:
            more = f"{self.conn_ms:g} ms is more than the service time of {self.service_ms:g} ms that it is part of"
            raise RequestError(more, place="--conn-ms")
        Given(None, self.read_ratio, self.footprint_gb)  # checks the values that can be given with a lake too
        count(1, MOST_ALIASES + 1, **{"--exposures": self.exposures})
        count(1, MOST_VOLUMES, **{"--volumes": self.volumes})
        not_negative(**{"--pool": self.pool})

    @property
    def touched_gb(self) -> float:
        """The footprint; 1 GB if not given."""
        return Given(footprint_gb=self.footprint_gb).touched_gb

    @property
    def aliases(self) -> int:
        """Aliases now, of the volume or in the pool."""
        return self.exposures - 1 if self.pool is None else self.pool


def service_of(
    service_ms: float | None, pend_ms: float | None, disc_ms: float | None, conn_ms: float | None
) -> float | None:
    """Service time, given or the sum of its parts; None if neither is given.

    Raises:
        RequestError: both are given, or a part is negative.
    """
    parts = {"--pend-ms": pend_ms, "--disc-ms": disc_ms, "--conn-ms": conn_ms}
    known = {name: value for name, value in parts.items() if value is not None}
    if not known:
        return service_ms
    if service_ms is not None:
        raise RequestError("the service time is given as a whole and in parts", place="--service-ms", remedy="give one")
    not_negative(**known)
    return sum(known.values())


def answer(numbers: Numbers, *, aliases: int | None = None, machine: str | None = None) -> Answer:
    """Rate, wait, service and response of a volume for each number of aliases, each with its uncertainty interval.

    Args:
        numbers: known values of the volume.
        aliases: show counts up to this one.
        machine: the box, by the name of a machine or a .toml file.
    """
    numbers = _by_littles_law(numbers)
    rng = np.random.default_rng(SEED)
    usual = open_load.USUAL_ALIASES if numbers.pool is None else open_load.USUAL_POOL
    counts = range((usual if aliases is None else aliases) + 1)
    question = _question(numbers, machine, trimmed=aliases is None)
    if numbers.requesters is not None:
        found = _closed(numbers, counts, machine, rng)
        return pav_rows.answer(question, of_measured_means(found, numbers.aliases, None, CLOSED))
    if numbers.rate is None or numbers.service_ms is None:
        raise RequestError(
            "not enough to go on",
            place="simulate pav",
            remedy="give VOLUME or --lcu, or --rate and --service-ms, or --requesters",
        )
    return pav_rows.answer(question, of_measured_means(_open(numbers, counts, machine, rng), numbers.aliases, None))


def _by_littles_law(numbers: Numbers) -> Numbers:
    """The numbers with the rate that follows from requesters and times; without a wait, from the busy exposures.

    RequestError if only the wait is given, which does not determine the rate.
    """
    if numbers.requesters is None or numbers.rate is not None or not (numbers.wait_ms or numbers.service_ms):
        return numbers
    if numbers.service_ms is None:
        what = "the rate of requesters does not follow from their wait alone"
        raise RequestError(what, place="--wait-ms", remedy="give --service-ms or --rate too")
    requests = numbers.requesters if numbers.wait_ms else min(numbers.requesters, numbers.exposures)
    return replace(numbers, rate=requests / (numbers.wait_ms + numbers.service_ms) * 1e3)


def _open(numbers: Numbers, counts: range, machine: str | None, rng: np.random.Generator) -> WhatIf:
    assert numbers.rate is not None and numbers.service_ms is not None
    if numbers.pool is None:
        busy = numbers.rate * numbers.service_ms / 1e3
        many = plural(numbers.exposures, "exposure") if numbers.exposures > 1 else "one exposure"
        stable(f"the volume's {many}", busy, numbers.exposures)
    else:
        busy, exposures = numbers.volumes * numbers.rate * numbers.service_ms / 1e3, numbers.volumes + numbers.pool
        stable(f"the LCU's {plural(exposures, 'exposure')} ({plural(numbers.volumes, 'base')})", busy, exposures)
    volumes = OpenVolumes.of(
        np.full(numbers.volumes, numbers.rate),
        numbers.wait_ms,
        numbers.service_ms,
        numbers.exposures if numbers.pool is None else 1 + numbers.pool,
        numbers.read_ratio,
        numbers.touched_gb,
    )

    def solve(source: RateSource | None) -> WhatIf:
        if numbers.pool is None:
            return what_if_open(source, volumes, counts, rng)
        return what_if_pool(source, volumes, counts, rng, current=numbers.pool)

    if machine is None:
        return solve(None)
    return sources.unless_contradicted(machine, float(volumes.rate.sum()), float(volumes.in_service.sum()), solve)


def _closed(numbers: Numbers, counts: range, machine: str | None, rng: np.random.Generator) -> WhatIf:
    assert numbers.requesters is not None
    volumes = ClosedVolumes.of(
        np.full(numbers.volumes, float(numbers.requesters)), numbers.read_ratio, numbers.touched_gb
    )
    pooled = numbers.pool is not None
    load = load_now(volumes, numbers.aliases, pooled)
    source, now = _closed_source(numbers, load, machine, rng), _measured(numbers, load)
    return what_if_closed(source, volumes, counts, rng, current=numbers.aliases, pooled=pooled, measured=now)


def _measured(numbers: Numbers, load: BoxLoad) -> Measured | None:
    """Measured values of all volumes together, if a rate was given; I/Os without an exposure wait."""
    if numbers.rate is None or numbers.requesters is None:
        return None
    inside = float(load.in_box.ravel()[0]) / numbers.volumes / numbers.rate * 1e3
    return Measured(numbers.rate * numbers.volumes, numbers.requesters / numbers.rate * 1e3 - inside, inside)


def _closed_source(numbers: Numbers, load: BoxLoad, machine: str | None, rng: np.random.Generator) -> RateSource:
    if numbers.rate is None:
        if machine is None:
            raise RequestError(
                "requesters alone say nothing about a box", place="--requesters", remedy="give --machine"
            )
        return sources.named(machine)
    total = numbers.rate * numbers.volumes
    if machine is None:
        inside = float(load.in_box.ravel()[0])
        return PowerCurve("the box", total, inside, (0.0, 1.0), 0.0, sources.ONE_RATE)
    return sources.refitted(machine, load, total, rng)


def _question(numbers: Numbers, machine: str | None, *, trimmed: bool) -> pav_rows.Question:
    notes = (*_doubts(numbers), *_assumed(numbers, machine))
    subject = f"each of {numbers.volumes} volumes" if numbers.volumes > 1 else "the volume"
    if numbers.pool is not None:
        return pav_rows.Question("the LCU", "pool_aliases", numbers.aliases, 1, notes, trimmed)
    return pav_rows.Question(subject, "aliases", numbers.aliases, numbers.volumes, notes, trimmed)


def _assumed(numbers: Numbers, machine: str | None) -> tuple[str, ...]:
    if machine is None or numbers.footprint_gb is not None:
        return ()
    return (f"{numbers.touched_gb:g} GB of data for each volume is assumed, as --footprint-gb was not given",)


def _doubts(numbers: Numbers) -> tuple[str, ...]:
    """A note if redundant numbers contradict Little's law."""
    if numbers.rate is None or numbers.service_ms is None or numbers.requesters is None:
        return ()
    inside = numbers.rate * numbers.service_ms / 1e3
    used = min(numbers.requesters, numbers.exposures)
    if abs(inside / used - 1) <= DOUBT:
        return ()
    return (
        f"rate times service time is {inside:.3g} I/Os in the box, but {numbers.requesters:g} requesters on "
        f"{numbers.exposures} exposures keep {used:g} there: check the numbers",
    )
