"""Destination of a result's text: standard output, or the file of -o with the format of its extension."""

from collections.abc import Mapping
from pathlib import Path

from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal
from iosq.toolkit.show.output import check, is_standard, spoken, write


def form_of(asked: str | None, output: Path | None, endings: Mapping[str, str]) -> str:
    """The output format, determined before any work: that of --format, otherwise by the file's extension.

    `endings`: forms by the ending of a file, first the one of a terminal; a form without a file has an empty ending.
    RequestError if there is no such form, or the file can't be written.
    """
    forms = list(endings.values())
    if asked is not None and asked not in forms:
        raise RequestError(f"{asked!r} is not an output format", place="--format", remedy=f"choose {', '.join(forms)}")
    if output is None or is_standard(output):
        return asked or forms[0]
    check(output, () if asked else tuple(filter(None, endings)))
    return asked or endings.get(output.suffix.lower(), forms[0])


def deliver(text: str, output: Path | None) -> None:
    """Print a result, or write it and report the file."""
    if output is None or is_standard(output):
        terminal.echo(text)
    else:
        write(output, f"{text}\n")
        say(f"written: {spoken(output)}")
