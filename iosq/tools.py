"""Operations on whole lakes, dumps and models."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from iosq.settings import lake_path
from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from iosq.lake import Lake
    from iosq.parsers.api import Table
    from iosq.toolkit.lake.lake import Lake as Store
    from iosq.types import (
        Ailment,
        Anonymized,
        Answer,
        Compacted,
        Comparison,
        Description,
        Exported,
        Judged,
        Outcome,
        Prediction,
        Pruned,
        Repaired,
    )

Progress = Callable[[int, int, int], None]
Done = Callable[[int, int], None]


def ingest(
    lake: str | Path | None,
    paths: Iterable[str | Path],
    *,
    unpack_limit_bytes: int | None = None,
    progress: Progress | None = None,
    jobs: int = 1,
    types: Iterable[str] | None = None,
    spark: str | None = None,
) -> list[Outcome]:
    """Load files, and all files of folders, into a lake, each in one transaction; creates the lake if needed.

    Args:
        lake: the lake's folder; None for $IOSQ_LAKE, then what iosq.toml says, then ./lake.
        paths: dumps, listings, or folders of them; file types are detected from content.
        unpack_limit_bytes: most bytes a packed file may unpack to.
        progress: called with bytes done, bytes in all and records read, at most ten times a second.
        jobs: most processes: files are read at once, or slices of a large unpacked SMF dump. A script that asks for
            more than one has to be safe to import: what it does stands below `if __name__ == "__main__":`.
        types: of SMF records to read, `74.1`, or `74` for all its subtypes; others are skipped, which the lake keeps in
            mind: a file ingested again with more types, or with all (None), is read again for them.
        spark: the master of Spark whose tasks read the files, in place of processes here; an empty text for the one
            its own settings name.

    Returns:
        One outcome per file, in the order they were met; a file that can't be read does not stop the others.

    Raises:
        LakeError: the lake can't be made, locked or written; files committed before stay.
        RequestError: there is no such type.
    """
    from iosq.parsers.smf.wanted import kinds
    from iosq.toolkit.lake.ingest import ingest
    from iosq.toolkit.lake.lake import Lake

    wanted = None if types is None else kinds(types)
    store, inputs = Lake(lake_path(lake)), list(map(Path, paths))
    if spark is not None:
        from functools import partial

        from iosq.toolkit.spark.ingest import ingest as by_tasks
        from iosq.toolkit.spark.session import begin

        limit, session = unpack_limit_bytes, partial(begin, spark or None)
        return by_tasks(session, store, inputs, progress=progress, unpack_limit_bytes=limit, kinds=wanted)
    limit = unpack_limit_bytes or None
    outcomes = ingest(store, inputs, progress=progress, jobs=jobs, wanted=wanted, unpack_limit_bytes=limit)
    if store.exists:
        _store_facts(store)
    return outcomes


def _store_facts(store: Store) -> None:
    """The daily facts of the days that have new records."""
    from iosq.toolkit.facts.build import ensure_days
    from iosq.toolkit.facts.plan import plan_of
    from iosq.toolkit.lake.lake import Lake as Store

    store = Store(store.path.absolute())
    ensure_days(plan_of(store, store.listed()))


def _drop_former_facts(store: Store) -> None:
    """Remove facts with rows that are no longer in the lake."""
    from iosq.toolkit.facts.build import drop_former
    from iosq.toolkit.facts.plan import plan_of

    drop_former(plan_of(store, store.listed()), spared_s=0)


def doctor(lake: str | Path | None = None, *, hashes: bool = False, progress: Done | None = None) -> list[Ailment]:
    """Problems of a lake, worst first; empty if there are none.

    Args:
        lake: the lake's folder, found as `ingest` does.
        hashes: read every Parquet file whole and compare it with what was written, and compute all facts again; else
            size, footer and rows.
        progress: called with the number of Parquet files checked, and of all files.

    Raises:
        LakeError: there is no lake.
    """
    from iosq.toolkit.lake.doctor import examine

    path = lake_path(lake)
    found = examine(path, hashes=hashes, tick=progress)
    return found if not hashes or any(a.loses for a in found) else [*_false_facts(path), *found]


def _false_facts(path: Path) -> list[Ailment]:
    from iosq.toolkit.facts.verify import false_facts
    from iosq.toolkit.lake.doctor import Ailment
    from iosq.toolkit.lake.lake import Lake

    what = "does not hold what the records give"
    return [Ailment("facts", place, what) for place in false_facts(Lake(path.absolute()))]


def repair(
    lake: str | Path | None = None, *, sources: Iterable[str | Path] = (), hashes: bool = False
) -> list[Repaired]:
    """Repair problems found by `doctor` without losing a row: rebuild data where possible, read the rest again.

    Args:
        lake: the lake's folder, found as `ingest` does.
        sources: inputs, or folders of them, for rows that are lost.
        hashes: as for `doctor`.

    Raises:
        LakeError: there is no lake, or the disk refuses.
    """
    from iosq.toolkit.lake.repair import dropped, repair

    path = lake_path(lake)
    done = repair(path, [Path(source) for source in sources], hashes=hashes)
    if hashes and all(mended.done for mended in done):
        done += [dropped(path, false) for false in _false_facts(path)]
    return done


def compact(lake: str | Path | None = None, *, dry_run: bool = False, progress: Done | None = None) -> Compacted:
    """Merge small Parquet files of a lake, by table, system and day; query results stay the same.

    Each merged file takes the place of those it is made of in one transaction. A connection that was opened before
    reads files that are no longer there: open another.

    Args:
        lake: the lake's folder, found as `ingest` does.
        dry_run: only report how many files would be merged.
        progress: called with the number of files merged, and of all files.

    Raises:
        LakeError: there is no lake, a file of it can't be read, or the disk refuses; what was merged before stays.
    """
    from iosq.toolkit.lake.compact import compact

    return compact(lake_path(lake), dry_run=dry_run, progress=progress)


def prune(
    lake: str | Path | None = None,
    *,
    keep_days: int | None = None,
    before: date | None = None,
    dry_run: bool = False,
) -> Pruned:
    """Drop old rows from a lake, by whole days (UTC), in one transaction, without confirmation.

    An input without remaining rows is forgotten: ingested again, it would be stored again.

    Args:
        lake: the lake's folder, found as `ingest` does.
        keep_days: how many days to keep, counted back from today; or
        before: the first day to keep.
        dry_run: only report what would be dropped.

    Raises:
        RequestError: none or both of `keep_days` and `before` are given.
        LakeError: there is no lake, or the disk refuses; nothing is dropped then.
    """
    from iosq.toolkit.lake.lake import Lake as Store
    from iosq.toolkit.lake.prune import prune

    if (keep_days is None) == (before is None):
        raise RequestError("say either how many days to keep or the first day to keep")
    if before is None:
        before = datetime.now(UTC).date() - timedelta(days=keep_days or 0)
    pruned = prune(lake_path(lake), before, dry_run=dry_run)
    if not dry_run:
        _drop_former_facts(Store(lake_path(lake)))
    return pruned


def sample(
    directory: str | Path, *, seed: int = 1, scale: int = 1, days: int = 1, study: str | None = None
) -> list[Path]:
    """Write a day of SMF dumps of a small synthetic sysplex with planted problems, or the listings of a study.

    Args:
        directory: the folder to write to; its `.truth.json` describes the planted problems.
        seed: the same seed gives the same bytes.
        scale: multiplies volumes and control units, up to 28.
        days: how many days: work grows, rests at weekends, and problems come back.
        study: in place of dumps, listings with the numbers of a published study: `zvm-pav`.

    Returns:
        The files written.

    Raises:
        RequestError: there is no such study.
    """
    if study == "zvm-pav":
        from iosq.parsers.fcx.study import write as write_study

        return write_study(Path(directory))
    if study is not None:
        raise RequestError(f"there is no study {study}", remedy="choose zvm-pav")
    from iosq.toolkit.sample import write

    return write(Path(directory), seed=seed, scale=scale, days=days)


def anonymize(
    lake: str | Path,
    target: str | Path,
    *,
    key: bytes | None = None,
    words: Sequence[str] = (),
    shift_weeks: int = 0,
    coarse: bool = False,
) -> Anonymized:
    """Copy a lake with pseudonyms in place of names, and prove that no name is left.

    Values that can't be placed are withheld and counted: a copy of a damaged lake proves itself too.

    Args:
        lake: the lake to copy.
        target: a new folder.
        key: 16 secret bytes or more: the same key gives the same names again. A random one by default.
        words: non-sensitive words to leave unchanged in free text.
        shift_weeks: weeks by which every time moves; weekdays and times of day stay.
        coarse: two digits for counters and sizes, and other device numbers.
    """
    from iosq.toolkit.anonymize import anonymize
    from iosq.toolkit.lake.lake import Lake

    return anonymize(Lake(Path(lake)), Path(target), key, words, weeks=shift_weeks, coarse=coarse)


def export_delta(lake: str | Path | None, target: str | Path, *, progress: Done | None = None) -> list[Exported]:
    """Write a lake's raw tables, promised views and tables about itself as Delta Lake tables; needs `iosq[delta]`.

    Each table is synchronised in one commit; a second export writes only new data.

    Args:
        lake: the lake's folder, found as `ingest` does.
        target: a folder, or the address of one in an object store that the package deltalake knows.
        progress: called with the number of tables done, and of all tables.

    Raises:
        LakeError: there is no lake, or a table can't be written; tables before it stay as written.
        RequestError: the package is missing, or the target is a file, a lake, or inside one.
    """
    from iosq.toolkit.delta import export
    from iosq.toolkit.lake.lake import Lake

    return export(Lake(lake_path(lake)), target, progress=progress)


def export_duckdb(lake: str | Path | None, target: str | Path) -> None:
    """Write a DuckDB database with the views, comments and dictionary of a lake, whose Parquet files it reads.

    Args:
        lake: the lake's folder, found as `ingest` does; its place is written into the database.
        target: a file; a former one is replaced.

    Raises:
        LakeError: there is no lake, or it can't be read.
        RequestError: the file can't be written.
    """
    from iosq.connecting import write_database
    from iosq.toolkit.show import output

    target = Path(target)
    output.check(target)
    with TemporaryDirectory(prefix="iosq-") as folder:
        database = Path(folder) / "lake.duckdb"
        write_database(lake_path(lake), database)
        output.write(target, database.read_bytes())


def compare(before: Lake, after: Lake) -> Comparison:
    """Changes per box, LCU and volume between two lakes or two spans of one, with their significance.

    Args:
        before: a lake, or a part of one.
        after: the same of another time; what it was opened with says which systems, LCUs and volumes are compared.

    Raises:
        RequestError: a span is empty, or the two have no time of day in common.
    """
    from iosq.lake import for_comparison
    from iosq.toolkit.compare import compare

    with for_comparison(before) as one, for_comparison(after) as other:
        return compare(one, other, after.where.named())


def predictions(path: str | Path, lake: Lake) -> list[Prediction]:
    """Stored predictions (JSON) about what a lake was opened with.

    Raises:
        RequestError: the file holds none.
    """
    from iosq.toolkit.compare import predictions

    return [p for p in predictions(Path(path)) if p.is_of(lake.where)]


def judge(comparison: Comparison, stored: Sequence[Prediction]) -> list[Judged]:
    """Each prediction with the measured value."""
    from iosq.toolkit.compare import judge

    return judge(comparison, stored)


def machines() -> Answer:
    """The machines that models know: name, kind and title, one row each."""
    from iosq.toolkit.predict.machines import list_answer

    return list_answer()


def machine(name: str) -> Answer:
    """Every number of one machine: unit, how it was got, source, spread, note.

    Args:
        name: a machine that `machines` lists, or a .toml file.

    Raises:
        RequestError: there is none, or its file can't be read.
    """
    from iosq.toolkit.predict.machines import describe_answer

    return describe_answer(name)


def views() -> dict[str, str]:
    """The views of a lake, promised ones and those they are made of: name and title."""
    from iosq.toolkit.sql.catalog import views

    return {view.name: view.title for view in views()}


def view_groups() -> dict[str, dict[str, str]]:
    """Views by subject, those to start with first: title by name. The last group has views that may change."""
    from iosq.toolkit.sql.groups import groups

    return groups()


def describe(name: str) -> Description:
    """The meaning of a view, raw table, column, vendor field (unit, formula, source, confidence) or rule.

    Raises:
        RequestError: unknown name; the error lists similar ones.
    """
    from iosq.toolkit.sql.describe import describe

    if not _is_rule(name):  # rules take longer to load than all there is to describe
        try:
            return describe(name, _raw_tables())
        except RequestError:
            from iosq.toolkit.advise.catalog import renamed

            if name.strip().lower() not in renamed():
                raise
    from iosq.toolkit.advise.docs import description

    return description(name, lambda: describe(name, _raw_tables()))


def _raw_tables() -> Iterator[Table]:
    """Loaded on first use."""
    from iosq.parsers.registry import tables

    yield from tables().values()


def _is_rule(name: str) -> bool:
    code = name.strip().lower()
    return code.isidentifier() and files("iosq.toolkit").joinpath("advise", "rules", code, "rule.toml").is_file()


def validate(study: str | None = None, *, progress: Callable[[str], None] | None = None) -> Answer:
    """The models against published studies: predicted, published, error.

    Args:
        study: one of them; all by default.
        progress: called with the name of each study before its models run.

    Raises:
        RequestError: there is no such study.
    """
    from iosq.toolkit.predict import validation

    return validation.answer([study] if study else [], progress or (lambda _: None))


def validation_text(answer: Answer, brief: bool = False) -> str:
    """An answer of `validate` as tables, one per study; `brief`: only the scores that have a bar."""
    from iosq.toolkit.predict import validation

    return validation.text(answer, brief)


def charts() -> list[str]:
    """The names of the charts that `Lake.chart` draws."""
    from iosq.toolkit.report.chart import charts

    return [chart.name for chart in charts()]
