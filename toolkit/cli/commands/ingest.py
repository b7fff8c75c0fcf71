"""`iosq ingest`: dumps and listings into the lake."""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator
from pathlib import Path

import typer

import iosq
from iosq.toolkit.cli.options import OWN, spark_of
from iosq.toolkit.cli.talk import say
from iosq.toolkit.cli.weights import ingest_progress
from iosq.toolkit.errors import printable
from iosq.toolkit.show.numbers import plural

MANY = 500  # small files that needn't be: opening them takes a second
DONE, REFUSED, WITH_ERRORS = 0, 1, 3
_LIST = 'iosq sql "SELECT * FROM lake_issues WHERE CONDITION"'
# codes of columns that are not read, and of those in part
_UNREAD, _UNREAD_VALUES = "unread_column", "unread_values"
_LOST, _ERRORS = "severity = 'data_loss'", "severity = 'error'"
_COLUMNS = f"code IN ('{_UNREAD}', '{_UNREAD_VALUES}')"


def ingest(
    paths: list[Path],
    lake: Path | None = None,
    unpack_limit: int | None = None,
    jobs: int | None = None,
    types: str | None = None,
    engine: str = OWN,
    master: str | None = None,
) -> None:
    """Load dumps and listings into the lake. File types are detected from content, not from names.

    It reads SMF dumps with record descriptor words (RDW, or BDW and RDW), RMF and z/VM listings, XML and MONWRITE
    files, also packed with gzip, ZIP, bzip2, xz, zstd, AMATERSE or XMIT.
    The same bytes are never stored twice, and a file is stored completely or not at all. With --types other records
    are counted and skipped. To load them later, ingest the file again with more types or without --types.
    With --engine spark the tasks of a cluster read the files; its machines need files and lake under the same paths.

    Example: iosq ingest smf.dump.gz --lake lake
    """
    limit = unpack_limit << 20 if unpack_limit else None
    spark = spark_of(engine, master)
    if spark is not None and jobs:
        raise iosq.RequestError(
            "applies to this machine only", place="--jobs", remedy="leave it out: Spark has its own tasks"
        )
    jobs = jobs or os.cpu_count() or 1
    wanted = None if types is None else [type_.strip() for type_ in types.split(",")]
    outcomes = iosq.ingest(
        lake, paths, unpack_limit_bytes=limit, progress=ingest_progress, jobs=jobs, types=wanted, spark=spark
    )
    code = _code(outcomes)
    for outcome in outcomes:
        say(_line(outcome), trouble=DONE not in (code, _code([outcome])))
    for advice in _next(lake, outcomes):
        say(advice)
    say(closing(outcomes, listing(lake)), trouble=code != DONE)
    raise typer.Exit(code)


def _next(lake: Path | None, outcomes: list[iosq.Outcome]) -> Iterator[str]:
    """What to do where the lake has many small files now; nothing where nothing was stored."""
    if not any(outcome.status == "stored" for outcome in outcomes):
        return
    there, of = iosq.compact(lake, dry_run=True), f" --lake {shlex.quote(str(lake))}" if lake else ""
    if there.merged - there.into >= MANY:
        small = f"{there.merged:,} of {plural(there.files, 'file')} are small"
        yield f"{small}: iosq compact{of} makes {there.into:,} of them"


def _line(outcome: iosq.Outcome) -> str:
    if outcome.status == "already":
        return f"{printable(outcome.path)}: already in the lake"
    if outcome.status == "refused":
        return outcome.reason
    if outcome.status == "left_out":
        place = printable(outcome.path)
        return f"{place}: left out ({outcome.reason.removeprefix(f'{place}: ')})"
    balance = outcome.balance
    text = f"{printable(outcome.path)}: {plural(balance.read, 'record')}, {plural(outcome.rows, 'row')} stored"
    lost = f", {plural(balance.lost_bytes, 'byte')} lost" if balance.lost_bytes else ""
    issues = sum(i.count for i in outcome.issues)
    return f"{text}{lost}" + (f", {plural(issues, 'issue')}" if issues else "")


def listing(lake: Path | None) -> str:
    """The command that lists the issues of a CONDITION, ready to be pasted."""
    return _LIST + (f" --lake {shlex.quote(str(lake))}" if lake else "")


def closing(outcomes: list[iosq.Outcome], how: str) -> str:
    """The balance of all files: records read = decoded + skipped + failed; `how` to list what went wrong."""
    read, decoded, skipped, failed = (
        sum(getattr(o.balance, n) for o in outcomes) for n in ("read", "decoded", "skipped", "failed")
    )
    text = f"records read {read:,} = decoded {decoded:,} + skipped {skipped:,} + failed {failed:,}"
    refused = sum(o.status == "refused" for o in outcomes)
    if refused:
        text += f"; {_unread(refused, len(outcomes))}"
    if losses := _issues(outcomes, "data_loss"):
        text += f"; data was lost ({plural(losses, 'issue')}): {how.replace('CONDITION', _LOST)}"
    if errors := _issues(outcomes, "error"):
        text += f"; {plural(errors, 'error')}: {how.replace('CONDITION', _ERRORS)}"
    return text + _unread_columns(outcomes, how)


def _unread_columns(outcomes: list[iosq.Outcome], how: str) -> str:
    """How many columns are not read, or not all of their values."""
    issues = [issue for outcome in outcomes for issue in outcome.issues]
    part = len({i.message for i in issues if i.code == _UNREAD_VALUES})
    columns = len({i.message for i in issues if i.code == _UNREAD}) + part
    if not columns:
        return ""
    in_part = f" ({part:,} of them in part)" if part else ""
    return f"; columns not read: {columns:,}{in_part}, see {how.replace('CONDITION', _COLUMNS)}"


def _unread(refused: int, files: int) -> str:
    if refused == files:
        return "the file could not be read" if files == 1 else f"none of the {files:,} files could be read"
    return f"{refused:,} of {files:,} files could not be read"


def _issues(outcomes: list[iosq.Outcome], severity: str) -> int:
    return sum(i.count for o in outcomes for i in o.issues if i.severity == severity)


def _code(outcomes: list[iosq.Outcome]) -> int:
    if any(o.status == "refused" for o in outcomes) or all(o.status == "left_out" for o in outcomes):
        return REFUSED
    return WITH_ERRORS if _issues(outcomes, "error") or _issues(outcomes, "data_loss") else DONE
