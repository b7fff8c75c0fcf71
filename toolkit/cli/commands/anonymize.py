"""`iosq anonymize`: a lake to show to others."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.numbers import human_bytes, listed, plural
from iosq.toolkit.show.output import check_folder


def anonymize(
    lake: Path,
    target: Path,
    key_file: Path | None = None,
    word: list[str] | None = None,
    shift_weeks: int = 0,
    coarse: bool = False,
) -> None:
    """Copy a lake with pseudonyms, and verify that no name is left.

    Volumes, systems, data sets, jobs and boxes get pseudonyms. Structure and numbers stay: all views give the same
    values, unless --coarse or --shift-weeks change them. Values of unknown meaning, for example from damaged records,
    are withheld and counted. Without --key-file the key is random and discarded.

    Example: iosq anonymize lake shared-lake
    """
    check_folder(target, "OUT")
    key = key_file.read_bytes() if key_file else None
    outcome = iosq.anonymize(lake, target, key=key, words=word or (), shift_weeks=shift_weeks, coarse=coarse)
    for line in _lines(outcome, target):
        say(line)


def _lines(outcome: "iosq.Anonymized", target: Path) -> list[str]:
    proof, dropped = outcome.proof, outcome.dropped
    kinds = listed([f"{count:,} {kind}" for kind, count in outcome.replaced.items() if count], most=20)
    lines = [f"{target}: texts replaced: {kinds or 'none'}"]
    if dropped.values:
        lines.append(
            f"{plural(dropped.values, 'value')} withheld: names where none belongs, or dates that can't be shifted"
        )
    if dropped.rows:
        lines.append(f"{plural(dropped.rows, 'row')} left out: what they hold can't be placed")
    where = f"{plural(proof.files, 'file')}, {human_bytes(proof.bytes)} and {plural(proof.values, 'unpacked text')}"
    lines.append(f"proof: {plural(proof.strings, 'string')} looked for in {where}: none is left{_unlooked(outcome)}")
    return lines


def _unlooked(outcome: "iosq.Anonymized") -> str:
    """What was replaced without being looked for: it turns up everywhere by chance."""
    short, common = outcome.proof.too_short - outcome.common, outcome.common
    parts = [f"{short:,} shorter than 3 characters"] if short > 0 else []
    parts += [f"{common:,} that the lake's own layout has as words"] if common else []
    return f"; not looked for: {' and '.join(parts)}" if parts else ""
