"""What-if models with given numbers, or with the measurements of a lake (`lake.simulate`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from functools import cached_property
from typing import TYPE_CHECKING

from iosq.models.tape import TapeLoad
from iosq.narrowing import When, instant_of, single
from iosq.toolkit.errors import RequestError
from iosq.toolkit.late import duckdb
from iosq.toolkit.predict import (
    Answer,
    changes,
    grown_load,
    headroom,
    lake,
    moved,
    nvs_box,
    pav_box,
    pav_lake,
    pav_numbers,
    pav_pools,
    site,
)
from iosq.toolkit.predict import channel as of_channel
from iosq.toolkit.predict import dump as of_dump
from iosq.toolkit.predict import fit as of_fit
from iosq.toolkit.predict import migrate as of_migrate
from iosq.toolkit.predict import nvs as of_nvs
from iosq.toolkit.predict import plan as of_plan
from iosq.toolkit.predict import tape as of_tape
from iosq.toolkit.predict.changes import Change
from iosq.toolkit.predict.given import CLOSED, Given
from iosq.toolkit.predict.migrate import Wish
from iosq.toolkit.predict.nvs import Burst
from iosq.toolkit.predict.pav_numbers import Numbers, service_of
from iosq.toolkit.predict.tape import Setting
from iosq.toolkit.sql.filter import Instant
from iosq.toolkit.sql.limits import in_time

if TYPE_CHECKING:
    from iosq.lake import Lake
    from iosq.toolkit.predict.site import Accuracy
    from iosq.toolkit.sql.filter import Filter

__all__ = [
    "Answer", "Burst", "Change", "Given", "LakeSimulations", "Numbers", "Setting", "TapeLoad", "Wish",
    "channel", "dump", "fit", "migrate", "nvs", "pav", "plan", "service_of", "tape",
]  # fmt: skip


channel = in_time()(of_channel.answer)
dump = in_time()(of_dump.answer)
fit = in_time()(of_fit.points_answer)
migrate = in_time()(of_migrate.numbers_answer)
nvs = in_time()(of_nvs.machine_answer)
pav = in_time()(pav_numbers.answer)
plan = in_time()(of_plan.answer)
tape = in_time()(of_tape.answer)


class LakeSimulations:
    """What-if simulations of a lake; its filters select volumes, LCUs, systems and span."""

    def __init__(self, lake: Lake) -> None:
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
        wanted = pav_box.Asked(given, aliases, pool, requesters, utc, exposures)
        if requesters is not None and not one:
            raise RequestError("applies to a volume, not to a pool", place="--requesters", remedy="name a volume")
        with self._tables(lake.statement(), asked.span(), asked) as con:
            if one:
                answer = pav_lake.volume_answer(con, one, system, wanted)
            else:
                answer = pav_pools.pool_answer(con, asked.lcus, system, wanted)
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
        wish = Wish(wish) if isinstance(wish, str) else wish
        when = instant_of("--at", at)
        if of_migrate.is_machine(wish.to):
            of_migrate.checked(wish)
            with self._tables(lake.statement()) as con:
                answer = of_migrate.lake_answer(con, wish, when, utc=utc)
        else:
            asked, closed = self._lake.where, self._closed_load_limits()
            with self._whole_boxes() as con:
                answer = moved.lake_answer(con, wish, asked, closed, when, utc=utc)
        return site.with_accuracy(answer, lambda: self.move_accuracy)

    @in_time()
    def change(self, wish: Change | str, *, at: When | None = None, utc: bool = False) -> Answer:
        """Change one part of the storage: each volume's response now, and its bounds afterwards; means of the span.

        For `growth`, each box's response in its busiest interval; with a filter, the response of the selected volumes.

        Args:
            wish: `zhyperlink`, `channels`, `mirror`, `back-end` or `growth`, with the numbers that the change needs.
            at: growth only: start of an interval, written as `since` of `open`: local time, or UTC with Z.
            utc: growth only: show times in UTC instead of local time.
        """
        wish = Change(wish) if isinstance(wish, str) else wish
        if wish.what == changes.GROWTH:
            when, asked, closed = instant_of("--at", at), self._lake.where, self._closed_load_limits()
            with self._whole_boxes() as con:
                answer = grown_load.lake_answer(con, wish, asked, closed, when, utc=utc)
            return site.with_accuracy(answer, lambda: self.load_accuracy, "after")
        wish.effect()
        for option, given in {"--at": at, "--utc": utc}.items():
            if given:
                raise RequestError("applies to growth only", place=option, remedy="leave it out")
        with self._tables(changes.VOLUMES.sql) as con:
            return changes.lake_answer(con, wish)

    @in_time()
    def nvs(self, subsystem: str, burst: Burst | None = None, *, timeline: bool = False) -> Answer:
        """More writes, more NVS or faster destage for the box of a subsystem, based on its worst measured interval.

        Args:
            subsystem: the SSID.
            burst: changes to the measured values; rates are those of the whole box.
            timeline: an error: no record shows how writes are spread over an interval.
        """
        limits = self._limits("nvs_delay")
        with self._tables(nvs_box.statement()) as con:
            return nvs_box.lake_answer(con, subsystem, burst or Burst(), limits=limits, timeline=timeline)

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
        asked = self._lake.where
        with self._tables(lake.statement(), asked.span(), asked) as con:
            return of_fit.lake_answer(name, con, asked.lcus, footprint_gb, read_ratio, cache_gb)

    @in_time()
    def validate(self, *, utc: bool = False) -> Answer:
        """Each change in the lake, predicted from the data before it, with the values measured after it.

        Args:
            utc: show times in UTC instead of local time.
        """
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

    def _whole_boxes(self) -> duckdb.DuckDBPyConnection:
        """A connection to the span with all volumes of the boxes asked for."""
        return self._tables(site.statement(), self._lake.where.span(), self._lake.where)

    def _tables(
        self, statement: str, where: Filter | None = None, asked: Filter | None = None
    ) -> duckdb.DuckDBPyConnection:
        """A connection with the views of a statement."""
        return self._lake.connection(statement, where, asked=asked, steady=True)
