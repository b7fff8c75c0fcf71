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
    from iosq.types import (
        Ailment,
        Anonymized,
        Answer,
        Compacted,
        Comparison,
        Description,
        Exported,
        Outcome,
        Prediction,
        Pruned,
        Repaired,
    )

Progress = Callable[[int, int, int], None]
Done = Callable[[int, int], None]
__all__ = [
    "anonymize", "charts", "compact", "compare", "describe", "doctor", "export_delta", "export_duckdb", "ingest",
    "predictions", "prune", "repair", "sample", "validate", "validation_text", "views",
]  # fmt: skip


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
        lake: the lake's folder; None for $IOSQ_LAKE, then `lake` of iosq.toml, then ./lake.
        paths: dumps, listings, or folders of them; file types are detected from content.
        unpack_limit_bytes: maximum unpacked size of a packed file, bytes.
        progress: called with bytes done, total bytes and records read, at most ten times a second.
        jobs: maximum number of processes, which read files, or slices of a large unpacked SMF dump, in parallel. With
            more than one, a script must be safe to import: its code goes below `if __name__ == "__main__":`.
        types: SMF record types to read, such as `74.1`, or `74` for all its subtypes; others are skipped. The lake
            records what was skipped: a file ingested again with more types, or with all (None), is read again.
        spark: the Spark master whose tasks read the files in place of local processes; empty for the master in
            Spark's own settings.

    Returns:
        One outcome per file, in input order; a file that can't be read does not stop the others.

    Raises:
        LakeError: the lake can't be created, locked or written; files committed before stay.
        RequestError: there is no such type.
    """
    from iosq.parsers.smf.layout import kinds
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
        from iosq.toolkit.facts.build import ensure_days
        from iosq.toolkit.facts.plan import plan_of

        store = Lake(store.path.absolute())
        ensure_days(plan_of(store, store.listed()))
    return outcomes


def doctor(lake: str | Path | None = None, *, hashes: bool = False, progress: Done | None = None) -> list[Ailment]:
    """Problems of a lake, worst first; empty if there are none.

    Args:
        lake: the lake's folder, found as `ingest` does.
        hashes: compare the content of every Parquet file with its digest, and recompute all facts; otherwise only
            size, footer and row count are checked.
        progress: called with the number of Parquet files checked, and their total.

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

    what = "differs from what the records give"
    return [Ailment("facts", place, what) for place in false_facts(Lake(path.absolute()))]


def repair(
    lake: str | Path | None = None, *, sources: Iterable[str | Path] = (), hashes: bool = False
) -> list[Repaired]:
    """Repair problems found by `doctor` without losing a row: rebuild data where possible, and read the rest again.

    Args:
        lake: the lake's folder, found as `ingest` does.
        sources: the inputs of lost rows, or folders with them.
        hashes: as for `doctor`.

    Raises:
        LakeError: there is no lake, or writing fails.
    """
    from iosq.toolkit.lake.repair import dropped, repair

    path = lake_path(lake)
    done = repair(path, [Path(source) for source in sources], hashes=hashes)
    if hashes and all(mended.done for mended in done):
        done += [dropped(path, false) for false in _false_facts(path)]
    return done


def compact(lake: str | Path | None = None, *, dry_run: bool = False, progress: Done | None = None) -> Compacted:
    """Merge small Parquet files of a lake, by table, system and day; query results stay the same.

    Each merged file replaces its parts in one transaction. A connection that was opened before still refers to the
    deleted parts: open a new one.

    Args:
        lake: the lake's folder, found as `ingest` does.
        dry_run: only report how many files would be merged.
        progress: called with the number of files merged, and their total.

    Raises:
        LakeError: there is no lake, one of its files can't be read, or writing fails; files merged before stay merged.
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

    An input without remaining rows is removed from the manifest: ingested again, it is stored again.

    Args:
        lake: the lake's folder, found as `ingest` does.
        keep_days: number of days to keep, counted back from today; or
        before: the first day to keep.
        dry_run: only report what would be dropped.

    Raises:
        RequestError: none or both of `keep_days` and `before` are given.
        LakeError: there is no lake, or writing fails; nothing is dropped then.
    """
    from iosq.toolkit.facts.build import drop_former
    from iosq.toolkit.facts.plan import plan_of
    from iosq.toolkit.lake.lake import Lake
    from iosq.toolkit.lake.prune import prune

    if (keep_days is None) == (before is None):
        raise RequestError("give either the number of days to keep or the first day to keep")
    if before is None:
        before = datetime.now(UTC).date() - timedelta(days=keep_days or 0)
    pruned = prune(lake_path(lake), before, dry_run=dry_run)
    if not dry_run:
        store = Lake(lake_path(lake))
        drop_former(plan_of(store, store.listed()), spared_s=0)
    return pruned


def sample(
    directory: str | Path, *, seed: int = 1, scale: int = 1, days: int = 1, study: str | None = None
) -> list[Path]:
    """Write SMF dumps of a small synthetic sysplex with planted problems, or the listings of a study.

    Args:
        directory: the folder to write to; its `.truth.json` describes the planted problems.
        seed: the same seed gives the same bytes.
        scale: multiplies volumes and control units, up to 28.
        days: number of days; load grows over them, drops at weekends, and problems recur.
        study: instead of dumps, listings with the numbers of a published study: `zvm-pav`.

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
    """Copy a lake with pseudonyms in place of names, and verify that no name is left.

    Values that can't be classified are withheld and counted, so that the copy of a damaged lake can be verified too.

    Args:
        lake: the lake to copy.
        target: a new folder.
        key: 16 secret bytes or more; the same key gives the same pseudonyms. Random by default.
        words: non-sensitive words to leave unchanged in free text.
        shift_weeks: weeks by which every time moves; weekdays and times of day stay.
        coarse: round counters and sizes to two digits, and change device numbers.
    """
    from iosq.toolkit.anonymize import anonymize
    from iosq.toolkit.lake.lake import Lake

    return anonymize(Lake(Path(lake)), Path(target), key, words, weeks=shift_weeks, coarse=coarse)


def export_delta(lake: str | Path | None, target: str | Path, *, progress: Done | None = None) -> list[Exported]:
    """Write a lake's raw tables, promised views and metadata tables as Delta Lake tables; needs `iosq[delta]`.

    Each table is synchronised in one commit; a second export writes only new data.

    Args:
        lake: the lake's folder, found as `ingest` does.
        target: a folder, or its address in an object store that the package deltalake supports.
        progress: called with the number of tables done, and their total.

    Raises:
        LakeError: there is no lake, or a table can't be written; tables before it stay as written.
        RequestError: the package is missing, or the target is a file, a lake, or inside one.
    """
    from iosq.toolkit.delta import export
    from iosq.toolkit.lake.lake import Lake

    return export(Lake(lake_path(lake)), target, progress=progress)


def export_duckdb(lake: str | Path | None, target: str | Path) -> None:
    """Write a DuckDB database with the views, comments and dictionary of a lake; it reads the lake's Parquet files.

    Args:
        lake: the lake's folder, found as `ingest` does; its path is written into the database.
        target: a file; an existing one is replaced.

    Raises:
        LakeError: there is no lake, or it can't be read.
        RequestError: the file can't be written.
    """
    from iosq.connecting import Question, connected
    from iosq.toolkit.show import output
    from iosq.toolkit.sql.filter import Filter

    target = Path(target)
    output.check(target)
    with TemporaryDirectory(prefix="iosq-") as folder:
        database = Path(folder) / "lake.duckdb"
        con, _ = connected(lake_path(lake), Question(None, Filter(), database=str(database)))
        con.close()
        output.write(target, database.read_bytes())


def compare(before: Lake, after: Lake) -> Comparison:
    """Changes per box, LCU and volume between two lakes or two spans of one, with their significance.

    Args:
        before: a lake, or a part of one.
        after: the same for another time; its filter selects the systems, LCUs and volumes to compare.

    Raises:
        RequestError: a span is empty, or the two have no time of day in common.
    """
    from iosq.lake import for_comparison
    from iosq.toolkit.compare import compare

    with for_comparison(before) as one, for_comparison(after) as other:
        return compare(one, other, after.where.named())


def predictions(path: str | Path, lake: Lake) -> list[Prediction]:
    """Stored predictions (JSON) about the part of a lake that its filter selects.

    Raises:
        RequestError: the file contains no predictions.
    """
    from iosq.toolkit.compare import predictions

    return [p for p in predictions(Path(path)) if p.is_of(lake.where)]


def views() -> dict[str, str]:
    """Title by name of all views of a lake, promised and internal."""
    from iosq.toolkit.sql.catalog import views

    return {view.name: view.title for view in views()}


def describe(name: str) -> Description:
    """The meaning of a view, raw table, column, vendor field (unit, formula, source, confidence) or rule.

    Raises:
        RequestError: unknown name; the error lists similar ones.
    """
    from iosq.toolkit.sql.describe import describe

    if not _is_rule(name):  # loading the rules takes longer than loading everything else that can be described
        try:
            return describe(name, _raw_tables())
        except RequestError:
            from iosq.toolkit.advise.catalog import renamed

            if name.strip().lower() not in renamed():
                raise
    from iosq.toolkit.advise.docs import description

    return description(name, lambda: describe(name, _raw_tables()))


def _raw_tables() -> Iterator[Table]:
    """The raw tables of all readers, loaded on first use."""
    from iosq.parsers.registry import tables

    yield from tables().values()


def _is_rule(name: str) -> bool:
    code = name.strip().lower()
    return code.isidentifier() and files("iosq.toolkit").joinpath("advise", "rules", code, "rule.toml").is_file()


def validate(study: str | None = None, *, progress: Callable[[str], None] | None = None) -> Answer:
    """Test the models against published studies: predicted, published, error.

    Args:
        study: one study; all by default.
        progress: called with the name of each study before its models run.

    Raises:
        RequestError: there is no such study.
    """
    from iosq.toolkit.predict import validation

    return validation.answer([study] if study else [], progress or (lambda _: None))


def validation_text(answer: Answer, brief: bool = False) -> str:
    """The result of `validate` as tables, one per study; `brief`: only the scores with an acceptance limit."""
    from iosq.toolkit.predict import validation

    return validation.text(answer, brief)


def charts() -> list[str]:
    """The names of the charts that `Lake.chart` draws."""
    from iosq.toolkit.report.chart import charts

    return [chart.name for chart in charts()]
