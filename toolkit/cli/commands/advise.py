"""`iosq advise`: what to do, what to expect, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.options import LakeOption, Part, expanded
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from iosq import Findings, Verdicts


class Topic(StrEnum):
    """What advice is wanted about."""

    pav = "pav"
    nvs = "nvs"
    migrate = "migrate"


class Form(StrEnum):
    """How findings are written."""

    text = "text"
    json = "json"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expanded(advise))


def advise(
    topic: Annotated[Topic, typer.Argument(help="pav: aliases; nvs: NVS and cache; migrate: other machines.")],
    lake: LakeOption = None,
    form: Annotated[Form, typer.Option("--format", help="For people or for programs.")] = Form.text,
    to: Annotated[
        list[str] | None, typer.Option("--to", metavar="MACHINE", help="migrate: only these machines; repeatable.")
    ] = None,
    every: Annotated[
        bool, typer.Option("--every", help="pav: one line per volume, LCU and group instead of findings.")
    ] = False,
    machine: Annotated[
        str | None, typer.Option("--machine", metavar="NAME", help="pav: the box, a machine or a .toml file.")
    ] = None,
    read_ratio: Annotated[
        float | None, typer.Option(metavar="0..1", help="pav: reads of all I/Os, where no cache record tells.")
    ] = None,
    footprint_gb: Annotated[float, typer.Option(metavar="GB", help="pav: data each volume touches.")] = 1.0,
    part: Part = Part(),
) -> None:
    """Say what to do about the volumes of a lake, what to expect of it, and why: most urgent first.

    Thresholds can be set in iosq.toml; iosq describe RULE tells those of a rule.

    Example: iosq advise pav --lake lake
    """
    _refuse(topic, "pav", {"--every": every, "--machine": machine, "--read-ratio": read_ratio})
    _refuse(topic, "migrate", {"--to": to})
    asked = part.of(lake)
    if every:
        _lines(asked.verdicts(machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb), form)
    else:
        found = asked.advise(
            topic.value, machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb, to=to or ()
        )
        _findings(found, form)


def _refuse(topic: Topic, wanted: str, given: Mapping[str, object]) -> None:
    """An option of another topic would be left out without a word."""
    for option, value in given.items():
        if value and topic != wanted:
            raise RequestError(f"is about {wanted}, not {topic}", place=option, remedy=f"ask iosq advise {wanted}")


def _findings(found: Findings, form: Form) -> None:
    terminal.echo(found.json() if form is Form.json else found.text() or "nothing found")
    say(f"{len(found)} findings" if len(found) != 1 else "1 finding")


def _lines(rows: Verdicts, form: Form) -> None:
    terminal.echo(rows.json() if form is Form.json else rows.text() or "no volumes")
    say(f"{len(rows)} volumes, LCUs and groups; iosq advise pav says more about what a rule found")
