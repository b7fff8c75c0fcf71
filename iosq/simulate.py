"""What-if models with numbers given here, or with the measurements of a lake (`lake.simulate`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from iosq.models.tape import TapeLoad
from iosq.narrowing import When, instant_of, single
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict import Answer
from iosq.toolkit.predict.changes import Change
from iosq.toolkit.predict.given import CLOSED, Given
from iosq.toolkit.predict.migrate import Wish
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.pav_numbers import Numbers, service_of
from iosq.toolkit.predict.tape import Setting
from iosq.toolkit.sql.filter import Instant
from iosq.toolkit.sql.limits import in_time

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import duckdb

    from iosq.toolkit.predict.site import Accuracy
    from iosq.toolkit.sql.filter import Filter

__all__ = [
    "Answer", "Burst", "Change", "Given", "LakeSimulations", "Numbers", "Setting", "TapeLoad", "Wish",
    "channel", "dump", "fit", "migrate", "nvs", "pav", "plan", "service_of", "tape",
]  # fmt: skip


@in_time()
def pav(numbers: Numbers, *, aliases: int | None = None, machine: str | None = None) -> Answer:
    """Rate, wait, service and response of a volume for each number of aliases, each with its interval.

    Args:
        numbers: known values of the volume.
        aliases: show counts up to this one.
        machine: the box, by the name of a machine or a .toml file.
    """
    from iosq.toolkit.predict import pav_numbers

    return pav_numbers.answer(numbers, aliases, machine)


@in_time()
def migrate(numbers: Numbers, wish: Wish) -> Answer:
    """The work of volumes on another machine: response, what saturates first, how many boxes."""
    from iosq.toolkit.predict.migrate import numbers_answer

    return numbers_answer(numbers, wish)


@in_time()
def nvs(burst: Burst, *, machine: str | None = None, timeline: bool = False) -> Answer:
    """A burst of writes against the NVS of a machine: delayed writes, their delay, recovery, and what more NVS does.

    Args:
        burst: the writes.
        machine: whose NVS; None where the burst has its size and destage rate.
        timeline: rows over time in place of the summary.
    """
    from iosq.toolkit.predict.nvs import machine_answer

    return machine_answer(burst, machine, timeline=timeline)


@in_time()
def tape(setting: Setting, work: TapeLoad, *, timeline: bool = False) -> Answer:
    """Throughput of a virtual tape server over time: until its cache is full, and after."""
    from iosq.toolkit.predict.tape import answer

    return answer(setting, work, timeline=timeline)


@in_time()
def channel(
    machine: str,
    *,
    block_bytes: Sequence[float] = (4096.0,),
    tasks: Sequence[int] = (1, 2, 3, 6, 9, 12, 18),
    distance_km: Sequence[float] = (0.0,),
    read_ratio: float = 1.0,
    volumes: int = 6,
    exposures: int = 1,
    channels: int = 1,
) -> Answer:
    """Channel capacity: rate and throughput for every block size, number of tasks and distance.

    Args:
        machine: a channel: a machine's name or a .toml file.
        block_bytes: data per I/O, bytes.
        tasks: requesters.
        distance_km: length, km.
        read_ratio: reads of all I/Os, 0 to 1.
        volumes: volumes the requesters use.
        exposures: base and aliases of a volume.
        channels: equal channels.
    """
    from iosq.toolkit.predict.channel import answer

    return answer(
        machine,
        block_bytes=block_bytes,
        tasks=tasks,
        distance_km=distance_km,
        read_ratio=read_ratio,
        volumes=volumes,
        exposures=exposures,
        channels=channels,
    )


@in_time()
def dump(storage_gb: float, *, machine: str = "sadump-ess", volumes: int = 8, virtual: bool = False) -> Answer:
    """Time of a stand-alone dump and of its IPCS initialization by the number of volumes spanned.

    Args:
        storage_gb: storage to dump, GB.
        machine: a machine's name or a .toml file.
        volumes: most volumes to span.
        virtual: virtual instead of real storage.
    """
    from iosq.toolkit.predict.dump import answer

    return answer(machine, storage_gb, most=volumes, is_virtual=virtual)


@in_time()
def fit(name: str, points: str | Path | Sequence[str | Path], *, cache_gb: float | None = None) -> tuple[Answer, str]:
    """A machine from measured points in CSV files: the fit, and the text of the machine's file.

    Args:
        name: of the new machine.
        points: a file or several; columns volumes, requesters, aliases (of each volume), read_ratio, footprint_gb,
            io_rate (of all); all but the last may be missing.
        cache_gb: cache the volumes can use, GB, if their data outgrows it.
    """
    from iosq.toolkit.predict.fit import points_answer

    return points_answer(name, _files(points), cache_gb)


@in_time()
def plan(
    runs: int = 15,
    *,
    volumes: int = 8,
    aliases: int = 4,
    gb_per_requester: float = 0.06,
    cache_gb: float | None = None,
    points: str | Path | Sequence[str | Path] | None = None,
    machine: str | Path | None = None,
) -> Answer:
    """The runs to measure on a box before a fit: those that leave the least uncertainty about all others.

    Args:
        runs: how many.
        volumes: equal volumes to run them on.
        aliases: most that a volume can have.
        gb_per_requester: data each requester touches, GB.
        cache_gb: cache the volumes can use, GB, if their data outgrows it.
        points: runs measured already, one CSV file as `fit` reads it or several; none of them is named again.
        machine: a machine file that `fit` made of such runs, in place of them.
    """
    from iosq.toolkit.predict.plan import answer

    known = _files(points or ())
    return answer(runs, volumes, aliases, gb_per_requester, cache_gb, known, None if machine is None else str(machine))


def _files(given: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(given)] if isinstance(given, str | Path) else [Path(one) for one in given]


class Opened(Protocol):
    """The interface of an open lake."""

    where: Filter
    spark: str | None

    @property
    def thresholds(self) -> Mapping[str, Mapping[str, float]]:
        """Limits of rules, by rule and name."""

    def connection(
        self,
        statement: str | None = None,
        where: Filter | None = None,
        *,
        asked: Filter | None = None,
        steady: bool = False,
    ) -> duckdb.DuckDBPyConnection:
        """The views of a statement."""


class LakeSimulations:
    """What-if simulations of a lake; its filters select volumes, LCUs, systems and span."""

    def __init__(self, lake: Opened) -> None:
        self._lake = lake

    @in_time()
    def pav(
        self,
        volume: str | None = None,
        *,
        aliases: int | None = None,
        given: Given | None = None,
        pool: int | None = None,
        requesters: float | None = None,
        exposures: int | None = None,
        utc: bool = False,
    ) -> Answer:
        """Rate, wait, service and response for every number of aliases, or size of an LCU's pool.

        The interval with the longest queue is used, with the whole load of the box. A closed
        workload is recognised by its queue. Where a finding says that aliases are no cure, that comes first.

        Args:
            volume: a volume; without it the one volume, or the pool of the LCUs, that the lake was opened with.
            aliases: show counts up to this one.
            given: the box and what a lake lacks of it; by default its measured curve.
            pool: aliases in the pool, if the lake does not have it.
            requesters: that wait for each answer, of the volume.
            exposures: base and aliases of the volume, where the lake doesn't show them.
            utc: show times in UTC instead of local time.

        Raises:
            RequestError: the volume or LCU is not there, or both were named.
        """
        from iosq.toolkit.predict import headroom, site
        from iosq.toolkit.predict.lake import statement
        from iosq.toolkit.predict.pav_box import Asked
        from iosq.toolkit.predict.pav_lake import volume_answer
        from iosq.toolkit.predict.pav_pools import pool_answer

        asked = self._lake.where
        asked = replace(asked, volumes=tuple(dict.fromkeys((volume.upper(), *asked.volumes)))) if volume else asked
        one, system = single("--volume", asked.volumes), single("--system", asked.systems)
        if bool(one) == bool(asked.lcus):
            what = "a volume and the pool of an LCU are two questions" if one else "no volume and no LCU is named"
            raise RequestError(what, place="--lcu", remedy="ask for one of them")
        limits = headroom.SHARED.limits(self._lake.thresholds)
        given = replace(given or Given(), headroom=limits, closed=self._closed())
        wanted = Asked(given, aliases, pool, requesters, utc, exposures)
        if requesters is not None and not one:
            raise RequestError("is about a volume, not a pool", place="--requesters", remedy="name a volume")
        with self._tables(statement(), asked.span(), asked) as con:
            answer = volume_answer(con, one, system, wanted) if one else pool_answer(con, asked.lcus, system, wanted)
        answer = site.with_accuracy(answer, lambda: self.alias_accuracy)
        return answer if requesters is not None else self._with_findings(answer, wanted.given)

    @in_time()
    def migrate(self, wish: Wish | str, *, at: When | None = None, utc: bool = False) -> Answer:
        """The measured work on another machine: each volume's response, the first bottleneck, the number of boxes.

        On a box of the lake: the mean response there by its measured curve, as `validate` tests it.

        Args:
            wish: the machine, or the name or serial number of a box of the lake; or either with its requirements.
            at: start of an interval, as a lake's `since`: local time, or UTC with Z; the busiest by default.
            utc: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict import site
        from iosq.toolkit.predict.lake import statement
        from iosq.toolkit.predict.migrate import checked, is_machine, lake_answer

        wish = Wish(wish) if isinstance(wish, str) else wish
        when = instant_of("--at", at)
        if not is_machine(wish.to):
            answer = self._moved(wish, when, utc)
        else:
            checked(wish)
            with self._tables(statement()) as con:
                answer = lake_answer(con, wish, when, utc=utc)
        return site.with_accuracy(answer, lambda: self.move_accuracy)

    def _moved(self, wish: Wish, at: Instant | None, utc: bool) -> Answer:
        from iosq.toolkit.predict import moved, site

        asked = self._lake.where
        with self._tables(site.statement(), asked.span(), asked) as con:
            return moved.lake_answer(con, wish, asked, self._closed(), at, utc=utc)

    @in_time()
    def change(self, wish: Change | str, *, at: When | None = None, utc: bool = False) -> Answer:
        """One part of the storage changes: each volume's response now, and its bounds afterwards; means over the span.

        Of `growth` each box's response in its busiest interval; of a narrowed lake that of the volumes chosen.

        Args:
            wish: `zhyperlink`, `channels`, `mirror`, `back-end` or `growth`, with the numbers that the change needs.
            at: of growth: start of an interval, as a lake's `since`: local time, or UTC with Z.
            utc: of growth: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict.changes import GROWTH, VOLUMES, lake_answer

        wish = Change(wish) if isinstance(wish, str) else wish
        if wish.what == GROWTH:
            return self._grown(wish, instant_of("--at", at), utc)
        wish.effect()
        for option, given in {"--at": at, "--utc": utc}.items():
            if given:
                raise RequestError("is about growth", place=option, remedy="leave it out")
        with self._tables(VOLUMES.sql) as con:
            return lake_answer(con, wish)

    def _grown(self, wish: Change, at: Instant | None, utc: bool) -> Answer:
        from iosq.toolkit.predict import grown_load, site

        asked = self._lake.where
        with self._tables(site.statement(), asked.span(), asked) as con:
            answer = grown_load.lake_answer(con, wish, asked, self._closed(), at, utc=utc)
        return site.with_accuracy(answer, lambda: self.load_accuracy, "after")

    @in_time()
    def nvs(self, subsystem: str, burst: Burst | None = None, *, timeline: bool = False) -> Answer:
        """More writes, more NVS or faster destage for the box of a subsystem, from its worst measured interval.

        Args:
            subsystem: its SSID.
            burst: changes to the measurement: rates are those of the whole box.
            timeline: refused: no record shows how writes are spread over an interval.
        """
        from iosq.toolkit.predict.nvs_box import statement
        from iosq.toolkit.predict.nvs_lake import lake_answer

        limits = self._limits("nvs_delay")
        with self._tables(statement()) as con:
            return lake_answer(con, subsystem, burst or Burst(), limits=limits, timeline=timeline)

    @in_time()
    def fit(
        self,
        name: str,
        *,
        footprint_gb: float = 1.0,
        read_ratio: float | None = None,
        cache_gb: float | None = None,
    ) -> tuple[Answer, str]:
        """A machine fitted to the intervals of a box: the fit, and the text of the machine's file.

        Args:
            name: of the new machine.
            footprint_gb: data each volume touches, GB.
            read_ratio: read ratio, 0 to 1, used when there is no cache data.
            cache_gb: cache the volumes can use, GB, if their data outgrows it.
        """
        from iosq.toolkit.predict.fit import lake_answer
        from iosq.toolkit.predict.lake import statement

        asked = self._lake.where
        with self._tables(statement(), asked.span(), asked) as con:
            return lake_answer(name, con, asked.lcus, footprint_gb, read_ratio, cache_gb)

    @in_time()
    def validate(self, *, utc: bool = False) -> Answer:
        """Every change that the lake has seen, predicted from the time before it, and what was measured after it.

        Args:
            utc: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict import site

        with self._tables(site.statement()) as con:
            return site.answer(con, self._before, utc=utc)

    @cached_property
    def alias_accuracy(self) -> Accuracy | None:
        """How well alias predictions met what was measured after changes of exposures and pools; None without any."""
        return self._accuracy("exposures", "pool")

    @cached_property
    def move_accuracy(self) -> Accuracy | None:
        """How well predictions met what was measured after volumes moved to another box; None without any."""
        return self._accuracy("box")

    @cached_property
    def load_accuracy(self) -> Accuracy | None:
        """How well predictions met what was measured on the last days, where the load grew; None without any."""
        return self._accuracy("load")

    def _accuracy(self, *kinds: str) -> Accuracy | None:
        from iosq.toolkit.predict import site

        if self._lake.spark is not None:
            return None
        try:
            with self._tables(site.statement(), self._lake.where.span()) as con:
                return site.accuracy(site.latest(con, self._before, kinds))
        except RequestError:  # no volume was measured in that span
            return None

    @contextmanager
    def _before(self, at: datetime) -> Iterator[duckdb.DuckDBPyConnection]:
        """The lake's span up to a time, UTC."""
        from iosq.toolkit.predict import site

        span = replace(self._lake.where.span(), until=Instant(at, is_utc=True))
        with self._tables(site.statement(), span) as con:
            yield con

    def _limits(self, code: str) -> dict[str, float]:
        """The limits of a rule in force."""
        from iosq.toolkit.advise.catalog import all_rules

        (rule,) = (r for r in all_rules() if r.code == code)
        return rule.limits(self._lake.thresholds.get(code))

    def _closed(self) -> dict[str, float]:
        return {name: value for name, value in self._limits("closed_load").items() if name in CLOSED}

    def _with_findings(self, answer: Answer, given: Given) -> Answer:
        """The answer, preceded by findings that reject more aliases."""
        from iosq.toolkit.advise.against import against, asked_about, is_doubtful
        from iosq.toolkit.advise.catalog import question_texts

        if not is_doubtful(answer.rows, answer.common):
            return answer
        with self._tables(" ".join(question_texts()), self._lake.where.span()) as con:
            found = against(con, asked_about(answer.common), self._lake.thresholds, given)
        if found is None:
            return answer
        counted = [f"By the queue alone, {c}" if n == 0 else c for n, c in enumerate(answer.conclusions)]
        return replace(answer, conclusions=(found["conclusion"], *counted), common={**answer.common, "advised": found})

    def _tables(
        self, statement: str, where: Filter | None = None, asked: Filter | None = None
    ) -> duckdb.DuckDBPyConnection:
        """The views of a statement."""
        return self._lake.connection(statement, where, asked=asked, steady=True)
