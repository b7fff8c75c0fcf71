"""A lake open for queries."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeVar

from iosq.attributes import Views
from iosq.narrowing import known_of
from iosq.settings import thresholds
from iosq.toolkit.errors import ChangedError, IosqError, RequestError, nearest
from iosq.toolkit.late import duckdb, pa, pl

if TYPE_CHECKING:
    from iosq.answers import Findings, Trends, Verdicts
    from iosq.simulate import LakeSimulations
    from iosq.toolkit.advise.finding import Known, Topic
    from iosq.toolkit.show.theme import Drawing
    from iosq.toolkit.sql.catalog import View
    from iosq.toolkit.sql.engine import Connection
    from iosq.toolkit.sql.filter import Filter
    from iosq.toolkit.trend import Limits

T = TypeVar("T")
Note = Callable[[str], None]


class Lake(Views):
    """A lake, or the part of it selected in `open`, which creates it.

    Promised views are attributes: polars LazyFrames that query the lake when they are collected.
    """

    def __init__(
        self,
        path: Path,
        where: Filter,
        thresholds: Mapping[str, Mapping[str, float]] | None = None,
        *,
        label: str = "",
        utc: bool = False,
        spark: str | None = None,
    ) -> None:
        self.path, self.where, self.label, self.utc = path, where, label or str(path), utc
        self.spark = spark
        self._thresholds = thresholds

    def __repr__(self) -> str:
        from iosq.toolkit.sql.refusal import described

        part = described(self.where)
        return f"<iosq.Lake {self.path}{f': {part}' if part else ''}>"

    def _repr_html_(self) -> str:
        """In a notebook: systems, span, missing record types and input issues."""
        try:
            text = self.summary()
        except IosqError as error:
            text = str(error)
        return f"<p><b>{escape(repr(self))}</b></p><p>{escape(text)}</p>"

    def __getattr__(self, name: str) -> object:
        near = "" if name.startswith("_") else nearest(name, dir(self))
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}{near and f'; {near}'}")

    def summary(self) -> str:
        """Systems, span, missing record types and input issues, in a sentence or two."""
        from iosq.toolkit.report import quality

        with self._steady(quality.texts()) as con:
            return quality.line(con, self.narrowed(), self.utc)

    @cached_property
    def simulate(self) -> LakeSimulations:
        """What-if simulations with models fed from this lake."""
        from iosq.simulate import LakeSimulations

        return LakeSimulations(self)

    def sql(self, text: str, **parameters: object) -> pl.DataFrame:
        """The result of one SELECT over views and raw tables.

        Args:
            text: the statement; `$name` marks a parameter.
            parameters: values by name.

        Raises:
            LakeError: there is no lake, or it can't be read.
            RequestError: the statement does more than read, or does not run.
        """
        return pl.DataFrame(self.arrow(text, **parameters))

    def arrow(self, text: str, **parameters: object) -> pa.Table:
        """The result of one SELECT as a `pyarrow.Table`; arguments and errors as of `sql`."""
        from iosq.toolkit.sql.guard import stream

        def answer() -> pa.Table:
            con = self._opened(text, empty=lambda _: None, exact=not parameters)
            with stream(con, text, parameters, held=1) as reader:
                return reader.read_all()

        try:
            return answer()
        except ChangedError:
            return answer()  # another command changed the lake's files: read its new state

    def export(
        self,
        text: str,
        target: Path | None = None,
        *,
        form: str | None = None,
        utc: bool = False,
        note: Note | None = None,
        **parameters: object,
    ) -> None:
        """Write the result of one SELECT in batches; it may be larger than memory.

        Args:
            text: the statement; `$name` marks a parameter.
            target: a file, or None for standard output.
            form: table, csv, json, parquet or xlsx; by default from the file's extension, otherwise a table on a
                terminal and CSV elsewhere.
            utc: show times of a table in UTC instead of local time.
            note: called with one line if the filter leaves no rows.
            parameters: values by name.

        Raises:
            LakeError: there is no lake, or it can't be read.
            RequestError: the statement does more than read or does not run, or the file can't be written.
        """
        from iosq.toolkit.lake.lake import Lake as Store
        from iosq.toolkit.show import stages
        from iosq.toolkit.sql.export import clock_of, export, form_of

        form = form_of(target, form)
        clock = clock_of(Store(self.path.absolute()).kinds(), self._opened, text, utc, moves=form == "table")
        con = self._opened(text, empty=note or (lambda _: None), exact=not parameters)
        if note and (cut := self._cut()):
            note(f"intervals that start within the time asked for: {cut}")
        stages.progress("answer")
        export(con, text, form=form, target=target, parameters=parameters, clock=clock)

    def findings(self) -> Findings:
        """Problems and remedies found by all rules, most urgent first.

        Rules read every volume of the span, because the volumes of a box are solved together.

        Raises:
            RequestError: the lake has no data for the rules.
        """
        return self._findings("all")

    def advise(
        self,
        topic: Literal["all", "pav", "nvs", "migrate"],
        *,
        machine: str | None = None,
        read_ratio: float | None = None,
        footprint_gb: float | None = None,
        to: Sequence[str] = (),
    ) -> Findings:
        """Recommended actions for one topic with effect and evidence, most urgent first.

        Args:
            topic: `pav`: aliases; `nvs`: NVS and cache; `all`: everything the rules find; `migrate`: machines for the
                same load, ranked.
            machine: pav, all: the box, by the name of a machine or a .toml file.
            read_ratio: pav, all: read ratio, 0 to 1, used when there is no cache data.
            footprint_gb: pav, all: data each volume touches, GB; None tries several.
            to: migrate: only these machines; all that fit by default.

        Raises:
            RequestError: the selected part of the lake is empty, or it lacks data that a machine needs.
        """
        if topic == "migrate":
            return self._targets(to)
        return self._findings(topic, known_of(machine, read_ratio, footprint_gb))

    def verdicts(
        self, *, machine: str | None = None, read_ratio: float | None = None, footprint_gb: float | None = None
    ) -> Verdicts:
        """Verdicts on the aliases of every volume, LCU and group of LCUs; arguments as of `advise`."""
        from iosq.answers import Verdicts
        from iosq.toolkit.advise import run
        from iosq.toolkit.advise.part import verdicts_of_part
        from iosq.toolkit.advise.verdicts import verdicts

        known, limits = known_of(machine, read_ratio, footprint_gb), self.thresholds
        found, heading = self._judged(lambda con: verdicts(con, run(con, limits, known=known)), verdicts_of_part)
        return Verdicts(found, heading)

    def during(self, span: str) -> Lake:
        """The same lake for another span: `2025-11-18..2025-11-19` (both days), `2025-11-18T08:00..T12:00`, or a date.

        Raises:
            RequestError: the text is not a span, or the span ends before it begins.
        """
        from iosq.toolkit.sql.filter import span as read

        when = read(span)
        where = replace(self.where, since=when.since, until=when.until)
        return Lake(self.path, where, self._thresholds, label=span, utc=self.utc, spark=self.spark)

    def trend(self, limits: Limits | None = None) -> Trends:
        """Growth per LCU, box and channel path, and the date a limit is reached, if the data support one.

        Args:
            limits: limits by kind and measure, as {("box", "io_rate"): 20000.0}.
        """
        from iosq.answers import Trends
        from iosq.toolkit.trend import daily, trends

        kinds, left_out = daily.chosen(self.where)
        text = daily.statement(kinds)
        with self.connection(text, steady=True) as con:
            return Trends(trends(con, limits or {}, kinds), left_out)

    def chart(self, name: str) -> Drawing:
        """One chart of the report as an Altair chart; `iosq.charts()` lists them.

        Raises:
            RequestError: there is no such chart, or the lake has no data for it.
        """
        from iosq.toolkit.report.chart import asked, render

        con = self.connection(asked(name), utc=self.utc)
        return render(name, con, lambda: self._findings("all"), utc=self.utc, narrowed=self.narrowed())

    def report(
        self,
        path: str | Path,
        form: Literal["html", "xlsx", "json"] | None = None,
        *,
        found: Findings | None = None,
    ) -> list[str]:
        """Write the report: one self-contained page, a workbook, or a JSON document.

        Args:
            path: the file.
            form: output format; by default from the file's extension, otherwise a page.
            found: the result of `findings`, if already known; otherwise the rules run.

        Returns:
            The texts of the findings at the top of the report.

        Raises:
            RequestError: the lake has no data to report, or the file can't be written.
        """
        from iosq.reporting import write

        path = Path(path)
        return write(self, path, form or path.suffix.lower().removeprefix("."), found)

    def metrics(self, target: Path | None = None, *, backfill: bool = False, floor: float = 1.0) -> None:
        """Write OpenMetrics text to a file or standard output, without volumes below `floor` I/Os per second.

        With `backfill`, every interval with its time stamp; otherwise the last interval without one.

        Raises:
            RequestError: the file can't be written.
        """
        from iosq.toolkit.metrics.openmetrics import ENDINGS, lines
        from iosq.toolkit.show import output

        target = target or output.STANDARD_OUTPUT
        output.check(target, ENDINGS)
        con = self._measured()
        with output.opened(target) as file:
            for line in lines(con, floor, backfill=backfill):
                file.write(line.encode())

    def send_metrics(self, url: str, *, floor: float = 1.0) -> int:
        """Send the last interval to an OpenTelemetry collector at `url`; returns the number of values.

        Raises:
            RequestError: the lake is empty, or the collector refuses or does not answer.
        """
        from iosq.toolkit.metrics.otlp import send

        return send(self._measured(), url, floor)

    def _measured(self) -> Connection:
        from iosq.toolkit.metrics.families import families
        from iosq.toolkit.metrics.otlp import SYSPLEXES

        return self._opened(made=" ".join([*sorted({f.view for f in families()}), SYSPLEXES.sql]), steady=True)

    @property
    def thresholds(self) -> Mapping[str, Mapping[str, float]]:
        """The site's own thresholds by rule and name."""
        return thresholds() if self._thresholds is None else self._thresholds

    def connection(
        self,
        statement: str | None = None,
        where: Filter | None = None,
        *,
        asked: Filter | None = None,
        empty: Note | None = None,
        made: str = "",
        steady: bool = False,
        utc: bool = False,
        exact: bool = False,
    ) -> duckdb.DuckDBPyConnection:
        """A read-only DuckDB connection to the lake with all views, or, opened faster, with those a `statement` needs.

        Args:
            statement: SQL that names the views to create.
            where: the filter of the views, in place of the lake's filter.
            asked: the filter that must leave rows, where it is narrower than the filter of the views.
            empty: called with one line if no rows are left; without it an empty result is an error.
            made: names of the views to create, where there is no statement.
            steady: many queries follow; each result is reproducible to the last digit.
            utc: `local_start` and `local_end` are UTC.
            exact: only this statement will run, unchanged, so objects it does not need may be missing.

        Raises:
            LakeError: there is no lake, or it can't be read.
            RequestError: no rows are left, a name is unknown, or the lake was opened with Spark.
        """
        if self.spark is not None:
            raise RequestError("Spark can't run this", place="--engine", remedy="leave it out")
        from iosq.connecting import Question, connected
        from iosq.toolkit.sql.connect import WHOLE

        where = self.where if where is None else where
        question = Question(statement, where, made, steady, utc, exact)
        con, is_cut = connected(self.path, question)
        asked, whole = asked or question.where, f"{WHOLE}." if question.where else ""
        if asked and is_cut:
            try:
                _insist(con, question.about, asked, whole, None)
            except RequestError:  # reopen on all days: the error message lists what the whole lake contains
                con, is_cut = connected(self.path, replace(question, all_days=True))
        if asked and not is_cut:
            _insist(con, question.about, asked, whole, empty)
        return con

    def _opened(
        self,
        statement: str | None = None,
        where: Filter | None = None,
        *,
        empty: Note | None = None,
        made: str = "",
        steady: bool = False,
        utc: bool = False,
        exact: bool = False,
    ) -> Connection:
        """The views in the selected engine, DuckDB or Spark; arguments and errors as of `connection`."""
        if self.spark is None:
            return self.connection(statement, where, empty=empty, made=made, steady=steady, utc=utc, exact=exact)
        from iosq.toolkit.show import stages
        from iosq.toolkit.spark.installed import pyspark_at_hand

        pyspark_at_hand()
        from iosq.connecting import Question, on_spark
        from iosq.toolkit.spark.lake import WHOLE

        stages.progress("lake")
        where = self.where if where is None else where
        question = Question(statement, where, made, steady, utc, exact)
        con = on_spark(self.spark or None, self.path, question)
        if where:
            _insist(con, question.about, where, WHOLE, empty)
        return con

    @contextmanager
    def whole_and_part(self, of_all: Sequence[str], of_part: Sequence[str]) -> Iterator[tuple[Connection, Connection]]:
        """Connections to the span selected in `open`, and to the part that names select; the same one without names.

        Args:
            of_all: the SQL to run on the span.
            of_part: the SQL to run on the part.

        Raises:
            RequestError: the filter leaves no rows.
        """
        with ExitStack() as held:
            part = held.enter_context(self._steady(of_part)) if self.where.named() else None
            whole = held.enter_context(self._steady(of_all, self.where.span()))
            yield whole, part or whole

    @contextmanager
    def _steady(self, texts: Sequence[str], where: Filter | None = None) -> Iterator[Connection]:
        """A connection for several SQL texts, with times on the clock that advice shows."""
        con = self._opened(made=" ".join(texts), where=where, steady=True, utc=self.utc)
        try:
            yield con
        finally:
            if self.spark is None:
                con.close()  # type: ignore[union-attr]

    def _findings(self, topic: Topic, known: Known | None = None) -> Findings:
        from iosq.answers import Findings
        from iosq.toolkit.advise import run
        from iosq.toolkit.advise.part import findings_of_part
        from iosq.toolkit.advise.site import on_this_site

        limits = self.thresholds
        found, heading = self._judged(
            lambda con: run(con, limits, topic, known),
            lambda found, part: findings_of_part(found, part, limits, topic),
            topic,
        )
        return Findings(on_this_site(found, lambda: self.simulate.alias_accuracy), heading, self.utc)

    def _targets(self, to: Sequence[str]) -> Findings:
        from iosq.answers import Findings
        from iosq.toolkit.advise import migrate
        from iosq.toolkit.advise.catalog import question_texts
        from iosq.toolkit.advise.data_quality import missing_records
        from iosq.toolkit.predict.lake import statement
        from iosq.toolkit.report import quality

        texts = [*question_texts(), statement(), quality.SYSTEMS.sql]
        with self._steady(texts) as con:
            found = migrate.rank(con, to or migrate.targets(), self.utc)
            heading = f"{quality.heading(con, self.narrowed(), self.utc)} {missing_records(con, 'migrate')}".rstrip()
            return Findings(found, heading, self.utc)

    def narrowed(self) -> str:
        """The filter in words, with the intervals that its ends cut; empty without a filter."""
        from iosq.toolkit.sql.refusal import described

        return "; ".join(filter(None, [described(self.where), self._cut()]))

    def _cut(self) -> str:
        from iosq.toolkit.sql import edges
        from iosq.toolkit.sql.filter import Filter
        from iosq.toolkit.sql.guard import query

        return edges.in_words(
            self.where, lambda text: query(self._opened(text, Filter(), exact=True), text).to_pylist()
        )

    def _judged(
        self,
        of_all: Callable[[Connection], list[T]],
        of_part: Callable[[list[T], Connection], list[T]],
        topic: Topic = "pav",
    ) -> tuple[list[T], str]:
        """Findings of the whole span about the selected part, and a heading.

        The heading states the data used, and what is unknown because records for `topic` are missing.
        """
        from iosq.toolkit.advise import part
        from iosq.toolkit.advise.catalog import question_texts
        from iosq.toolkit.advise.data_quality import missing_records
        from iosq.toolkit.report import nothing, quality

        needed = [*quality.NEEDED, quality.SYSTEMS.sql]
        texts = [*question_texts(), *needed, *nothing.ASKED]
        with self.whole_and_part(texts, [*part.texts(), *needed]) as (con, asked):
            quality.require(asked)
            found = of_all(con)
            heading = f"{quality.heading(asked, self.narrowed(), self.utc)} {missing_records(asked, topic)}".rstrip()
            return of_part(found, asked) if self.where.named() else found, heading


def for_comparison(lake: Lake) -> duckdb.DuckDBPyConnection:
    """One side of a comparison. All volumes are read, because the others show how long values stay correlated."""
    from iosq.toolkit.compare.series import statement

    try:
        return lake.connection(statement(), replace(lake.where, volumes=()), asked=lake.where)
    except RequestError as error:  # say which of the two lakes it is
        options = "" if "--since" in error.place else error.place
        place = " ".join(part for part in (lake.label, options) if part)
        raise RequestError(error.what, place=place, remedy=error.remedy) from error


def _insist(con: Connection, about: Sequence[View], asked: Filter, whole: str, empty: Note | None) -> None:
    from iosq.toolkit.sql.refusal import insist

    try:
        if not about:
            raise RequestError("raw tables can't be filtered", place=", ".join(asked.given), remedy="use a view")
        insist(con, about, asked, whole=whole)
    except RequestError as error:
        if empty is None:
            raise
        empty(str(error))
