"""`iosq compact`: merges small files of the lake."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.units import human_bytes


def compact(
    lake: Path | None = None,
    dry_run: bool = False,
) -> None:
    """Merge small files of the lake into larger, sorted ones. Queries open fewer files and return the same rows.

    Files of one table, system and day are merged, whatever their input. You can interrupt the command at any moment.
    Facts do not change.

    Example: iosq compact --lake lake
    """
    done = iosq.compact(lake, dry_run=dry_run, progress=lambda at, of: stages.progress("files", at, of))
    if not done.merged:
        say(f"nothing to merge: the lake has {plural(done.files, 'file')}")
        return
    what = f"{done.merged:,} of {plural(done.files, 'file')} into {done.into:,}"
    sizes = f" ({human_bytes(done.bytes_before)} before, {human_bytes(done.bytes_after)} now)"
    say(f"would merge {what}" if dry_run else f"merged {what}{sizes}")
