"""`iosq validate`: the models against every published study."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

import iosq
from iosq.toolkit.cli.options import VerboseOption
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show import terminal


def validate(
    study: Annotated[str | None, typer.Argument(metavar="[STUDY]", help="One study; else all.")] = None,
    verbose: VerboseOption = False,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table or json.")] = "table",
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", metavar="FILE", help="The chart (.svg, .png, .html), .json, .csv."),
    ] = None,
) -> None:
    """Compare the models with every published study: errors, and the bars they have to meet.

    With -v also all protocols, every published number and the defective cells.

    Example: iosq validate se700
    """
    from iosq.toolkit.show.output import check, is_standard, spoken
    from iosq.toolkit.show.picture import WITH_ROWS
    from iosq.tools import validation_text

    if output is not None:
        check(output, WITH_ROWS)
    answer = iosq.validate(study)
    terminal.echo(answer.text(form) if form != "table" else validation_text(answer, not verbose))
    for text in answer.conclusions:
        say(text)
    if output is not None and not is_standard(output):
        answer.save(output)
        say(f"written: {spoken(output)}")
