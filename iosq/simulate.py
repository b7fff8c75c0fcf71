"""What-if models with given numbers, or with the measurements of a lake (`lake.simulate`)."""

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
    """Rate, wait, service and response of a volume for each number of aliases, each with its uncertainty interval.

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
    """A burst of writes to the NVS of a machine: delayed writes, their delay, recovery time, and the gain of more NVS.

    Args:
        burst: the writes.
        machine: the machine with the NVS; None if the burst gives NVS size and destage rate.
        timeline: rows over time in place of the summary.
    """
    from iosq.toolkit.predict.nvs import machine_answer

    return machine_answer(burst, machine, timeline=timeline)


@in_time()
def tape(setting: Setting, work: TapeLoad, *, timeline: bool = False) -> Answer:
    """Throughput of a virtual tape server over time, before and after its cache is full."""
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
        distance_km: length of the link, km.
        read_ratio: reads / all I/Os, 0 to 1.
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
    """Time of a stand-alone dump and of its IPCS initialization by number of volumes spanned.

    Args:
        storage_gb: storage to dump, GB.
        machine: a machine's name or a .toml file.
        volumes: maximum number of volumes to span.
        virtual: dump virtual instead of real storage.
    """
    from iosq.toolkit.predict.dump import answer

    return answer(machine, storage_gb, most=volumes, is_virtual=virtual)


@in_time()
def fit(name: str, points: str | Path | Sequence[str | Path], *, cache_gb: float | None = None) -> tuple[Answer, str]:
    """Fit a machine to measured points in CSV files; returns the fit and the text of the machine's file.

    Args:
        name: name of the new machine.
        points: a file or several; columns volumes, requesters, aliases (per volume), read_ratio, footprint_gb,
            io_rate (total); all but io_rate may be missing.
        cache_gb: cache available to the volumes, GB, if their data outgrows it.
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
    """The runs to measure on a box before a fit: those that leave the least uncertainty about all other runs.

    Args:
        runs: number of runs.
        volumes: number of equal volumes to run them on.
        aliases: maximum number per volume.
        gb_per_requester: data each requester touches, GB.
        cache_gb: cache available to the volumes, GB, if their data outgrows it.
        points: runs measured already, in one or several CSV files as `fit` reads them; they are not proposed again.
        machine: a machine file that `fit` made from such runs, in place of `points`.
    """
    from iosq.toolkit.predict.plan import answer

    known = _files(points or ())
    return answer(runs, volumes, aliases, gb_per_requester, cache_gb, known, None if machine is None else str(machine))


def _files(given: str | Path | Sequence[str | Path]) -> list[Path]:
    return [Path(given)] if isinstance(given, str | Path) else [Path(one) for one in given]


class Opened(Protocol):
    """What simulations use of an open lake."""

    where: Filter
    spark: str | None

    @property
    def thresholds(self) -> Mapping[str, Mapping[str, float]]:
        """Thresholds by rule and name."""

    def connection(
        self,
        statement: str | None = None,
        where: Filter | None = None,
        *,
        asked: Filter | None = None,
        steady: bool = False,
    ) -> duckdb.DuckDBPyConnection:
        """A connection with the views of a statement."""


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

        Uses the interval with the longest queue and the whole load of the box. A closed workload is
        recognised by its queue. A finding that aliases won't help comes first.

        Args:
            volume: a volume; by default the volume, or the pool of the LCUs, that the lake was opened with.
            aliases: show counts up to this one.
            given: the box, and data of it that the lake lacks; by default its measured curve.
            pool: aliases in the pool, if the lake does not have the number.
            requesters: tasks that each wait for their I/O to the volume before they start the next.
            exposures: base and aliases of the volume, if the lake does not have the number.
            utc: show times in UTC instead of local time.

        Raises:
            RequestError: the volume or LCU is unknown, or both were named.
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
            what = (
                "a volume and the pool of an LCU exclude each other" if one else "neither a volume nor an LCU is named"
            )
            raise RequestError(what, place="--lcu", remedy="give one of them")
        limits = headroom.SHARED.limits(self._lake.thresholds)
        given = replace(given or Given(), headroom=limits, closed=self._closed_load_limits())
        wanted = Asked(given, aliases, pool, requesters, utc, exposures)
        if requesters is not None and not one:
            raise RequestError("applies to a volume, not to a pool", place="--requesters", remedy="name a volume")
        with self._tables(statement(), asked.span(), asked) as con:
            answer = volume_answer(con, one, system, wanted) if one else pool_answer(con, asked.lcus, system, wanted)
        answer = site.with_accuracy(answer, lambda: self.alias_accuracy)
        return answer if requesters is not None else self._with_findings(answer, wanted.given)

    @in_time()
    def migrate(self, wish: Wish | str, *, at: When | None = None, utc: bool = False) -> Answer:
        """The measured load on another machine: each volume's response, the first bottleneck, the number of boxes.

        If the target is a box of the lake: the mean response there by its measured curve, as `validate` tests it.

        Args:
            wish: the target: a machine, or the name or serial number of a box of the lake; with requirements a `Wish`.
            at: start of an interval, written as `since` of `open`: local time, or UTC with Z; the busiest by default.
            utc: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict import site
        from iosq.toolkit.predict.lake import statement
        from iosq.toolkit.predict.migrate import checked, is_machine, lake_answer

        wish = Wish(wish) if isinstance(wish, str) else wish
        when = instant_of("--at", at)
        if not is_machine(wish.to):
            answer = self._migrate_to_box(wish, when, utc)
        else:
            checked(wish)
            with self._tables(statement()) as con:
                answer = lake_answer(con, wish, when, utc=utc)
        return site.with_accuracy(answer, lambda: self.move_accuracy)

    def _migrate_to_box(self, wish: Wish, at: Instant | None, utc: bool) -> Answer:
        from iosq.toolkit.predict import moved, site

        asked = self._lake.where
        with self._tables(site.statement(), asked.span(), asked) as con:
            return moved.lake_answer(con, wish, asked, self._closed_load_limits(), at, utc=utc)

    @in_time()
    def change(self, wish: Change | str, *, at: When | None = None, utc: bool = False) -> Answer:
        """Change one part of the storage: each volume's response now, and its bounds afterwards; means of the span.

        For `growth`, each box's response in its busiest interval; with a filter, the response of the selected volumes.

        Args:
            wish: `zhyperlink`, `channels`, `mirror`, `back-end` or `growth`, with the numbers that the change needs.
            at: growth only: start of an interval, written as `since` of `open`: local time, or UTC with Z.
            utc: growth only: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict.changes import GROWTH, VOLUMES, lake_answer

        wish = Change(wish) if isinstance(wish, str) else wish
        if wish.what == GROWTH:
            return self._with_growth(wish, instant_of("--at", at), utc)
        wish.effect()
        for option, given in {"--at": at, "--utc": utc}.items():
            if given:
                raise RequestError("applies to growth only", place=option, remedy="leave it out")
        with self._tables(VOLUMES.sql) as con:
            return lake_answer(con, wish)

    def _with_growth(self, wish: Change, at: Instant | None, utc: bool) -> Answer:
        from iosq.toolkit.predict import grown_load, site

        asked = self._lake.where
        with self._tables(site.statement(), asked.span(), asked) as con:
            answer = grown_load.lake_answer(con, wish, asked, self._closed_load_limits(), at, utc=utc)
        return site.with_accuracy(answer, lambda: self.load_accuracy, "after")

    @in_time()
    def nvs(self, subsystem: str, burst: Burst | None = None, *, timeline: bool = False) -> Answer:
        """More writes, more NVS or faster destage for the box of a subsystem, based on its worst measured interval.

        Args:
            subsystem: the SSID.
            burst: changes to the measured values; rates are those of the whole box.
            timeline: an error: no record shows how writes are spread over an interval.
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
        """Fit a machine to the intervals of a box; returns the fit and the text of the machine's file.

        Args:
            name: name of the new machine.
            footprint_gb: data each volume touches, GB.
            read_ratio: read ratio, 0 to 1, used when there is no cache data.
            cache_gb: cache available to the volumes, GB, if their data outgrows it.
        """
        from iosq.toolkit.predict.fit import lake_answer
        from iosq.toolkit.predict.lake import statement

        asked = self._lake.where
        with self._tables(statement(), asked.span(), asked) as con:
            return lake_answer(name, con, asked.lcus, footprint_gb, read_ratio, cache_gb)

    @in_time()
    def validate(self, *, utc: bool = False) -> Answer:
        """Each change in the lake, predicted from the data before it, with the values measured after it.

        Args:
            utc: show times in UTC instead of local time.
        """
        from iosq.toolkit.predict import site

        with self._tables(site.statement()) as con:
            return site.answer(con, self._span_until, utc=utc)

    @cached_property
    def alias_accuracy(self) -> Accuracy | None:
        """Error of alias predictions against measurements after changes of exposures or pools; None without any."""
        return self._accuracy("exposures", "pool")

    @cached_property
    def move_accuracy(self) -> Accuracy | None:
        """Error of predictions against measurements after volumes moved to another box; None without moves."""
        return self._accuracy("box")

    @cached_property
    def load_accuracy(self) -> Accuracy | None:
        """Error of predictions against measurements of the last days, where the load grew; None without growth."""
        return self._accuracy("load")

    def _accuracy(self, *kinds: str) -> Accuracy | None:
        from iosq.toolkit.predict import site

        if self._lake.spark is not None:
            return None
        try:
            with self._tables(site.statement(), self._lake.where.span()) as con:
                return site.accuracy(site.latest(con, self._span_until, kinds))
        except RequestError:  # no volume was measured in the span
            return None

    @contextmanager
    def _span_until(self, at: datetime) -> Iterator[duckdb.DuckDBPyConnection]:
        """A connection to the lake's span up to a time, UTC."""
        from iosq.toolkit.predict import site

        span = replace(self._lake.where.span(), until=Instant(at, is_utc=True))
        with self._tables(site.statement(), span) as con:
            yield con

    def _limits(self, code: str) -> dict[str, float]:
        """The thresholds of a rule that are in force."""
        from iosq.toolkit.advise.catalog import all_rules

        (rule,) = (r for r in all_rules() if r.code == code)
        return rule.limits(self._lake.thresholds.get(code))

    def _closed_load_limits(self) -> dict[str, float]:
        return {name: value for name, value in self._limits("closed_load").items() if name in CLOSED}

    def _with_findings(self, answer: Answer, given: Given) -> Answer:
        """The answer; a finding that rejects more aliases becomes its first conclusion."""
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
        """A connection with the views of a statement."""
        return self._lake.connection(statement, where, asked=asked, steady=True)
