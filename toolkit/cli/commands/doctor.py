"""`iosq doctor`: what is wrong with a lake, and mending it."""

from pathlib import Path

import typer

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError, printable
from iosq.toolkit.show import stages, terminal

HEALTHY, AILING = 0, 3


def doctor(
    lake: Path | None = None,
    repair: bool = False,
    source: list[Path] | None = None,
    hashes: bool = False,
) -> None:
    """Check a lake for damage, and repair it.

    Files, sizes, footers, row counts and digests are compared with the manifest; remains of failed ingests are listed.
    The exit code is 3 if queries or ingests would be wrong or refused.

    Example: iosq doctor --lake lake
    """
    if source and not repair:
        raise RequestError("has an effect only with --repair", place="--from", remedy="add --repair")
    if repair:
        done = iosq.repair(lake, sources=source or (), hashes=hashes)
        left = [mended.ailment for mended in done if not mended.done]
        lines = [f"{_line(mended.ailment)}: {mended.what}" for mended in done]
    else:
        left = iosq.doctor(lake, hashes=hashes, progress=lambda done, of: stages.progress("files", done, of))
        lines = [_line(ailment) for ailment in left]
    terminal.echo("\n".join(lines) or "nothing is wrong")
    say(_closing(left, repair, hashes))
    raise typer.Exit(AILING if any(ailment.loses for ailment in left) else HEALTHY)


def _line(ailment: "iosq.Ailment") -> str:
    return f"{printable(ailment.place)} {ailment.what}"


def _which(grave: int, found: int) -> str:
    if grave < found:
        return f"{grave} of {found}"
    return "it" if found == 1 else f"all {found}"


def _closing(left: "list[iosq.Ailment]", repair: bool, hashes: bool = False) -> str:
    grave = sum(ailment.loses for ailment in left)
    if not left:
        return "the lake is whole"
    text = f"{_which(grave, len(left))} must be repaired" if grave else "no query result is affected"
    return text if repair else f"{text}; run iosq doctor --repair{' --hashes' if hashes else ''}"
