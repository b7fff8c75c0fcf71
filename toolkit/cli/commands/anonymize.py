"""`iosq anonymize`: a lake to show to others."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

import iosq
from iosq.toolkit.cli.options import expanded
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check_folder

if TYPE_CHECKING:
    from iosq.types import Anonymized


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expanded(anonymize))


def anonymize(
    lake: Annotated[Path, typer.Argument(metavar="LAKE", help="The lake to copy.")],
    target: Annotated[Path, typer.Argument(metavar="OUT", help="A new folder for the copy.")],
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Secret bytes (16 or more): the same key gives the same names again."),
    ] = None,
    word: Annotated[
        list[str] | None, typer.Option(metavar="WORD", help="A word that tells nothing: kept where text is free.")
    ] = None,
) -> None:
    """Copy a lake with pseudonyms for volumes, systems, data sets, jobs and boxes, and prove that no name is left.

    Structure and numbers stay: the copy opens with all views and gives the same values. Without --key-file the key
    is random and forgotten.

    Example: iosq anonymize lake shared-lake
    """
    check_folder(target, "OUT")
    key = key_file.read_bytes() if key_file else None
    for line in _lines(iosq.anonymize(lake, target, key=key, words=word or ()), target):
        say(line)


def _lines(outcome: Anonymized, target: Path) -> list[str]:
    proof = outcome.proof
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in outcome.replaced.items() if count)
    short = f"; {proof.too_short:,} shorter than 3 characters were not looked for" if proof.too_short else ""
    return [
        f"{target}: texts replaced: {kinds}",
        f"proof: {proof.strings:,} strings looked for in {proof.files:,} files, {proof.bytes:,} bytes and "
        f"{proof.values:,} unpacked texts: none is left{short}",
    ]
