"""`iosq prune`: drops old rows."""

import re
from datetime import date
from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError, printable
from iosq.toolkit.show import terminal
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.units import human_bytes

_DAYS = {"d": 1, "w": 7}


def prune(
    lake: Path | None = None,
    keep: str | None = None,
    before: str | None = None,
    dry_run: bool = False,
) -> None:
    """Delete the rows of old days from the lake, without a prompt.

    Rows are deleted completely or not at all, and the result is listed. Inputs without remaining rows are removed from
    the manifest. If they are ingested again, they are stored again.

    Example: iosq prune --keep 400d --dry-run
    """
    if (keep is None) == (before is None):
        raise RequestError(
            "exactly one of --keep and --before is needed", remedy="give either --keep 400d or --before 2025-11-01"
        )
    done = iosq.prune(lake, keep_days=days_of(keep), before=_day(before), dry_run=dry_run)
    for path in done.inputs:
        terminal.echo(f"{printable(path)}: nothing {'would be' if dry_run else 'is'} left of it")
    if not done.files:
        say(f"nothing is older than {done.before}")
        return
    what = f"{plural(done.rows, 'row')} in {plural(done.files, 'file')} ({human_bytes(done.bytes)})"
    say(f"{'would drop' if dry_run else 'dropped'} {what} from before {done.before} (UTC){_mixed(done.mixed_rows)}")


def _mixed(rows: int) -> str:
    return f"; {plural(rows, 'row')} stay in files that hold older and later ones" if rows else ""


def days_of(text: str | None) -> int | None:
    """The days of `400d` or `60w`, None for None; RequestError if it is neither."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})([dw])", text)
    if found is None or not (days := int(found[1]) * _DAYS[found[2]]):
        raise RequestError(f"{text!r} is not a length of time", place="--keep", remedy="give days or weeks: 400d, 60w")
    return days


def _day(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        raise RequestError(f"{text!r} is not a date", place="--before", remedy="give it as 2025-11-01") from None
