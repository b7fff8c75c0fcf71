"""`iosq advise`: what to do, what to expect, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import LakeOption, open_lake, say, thresholds

if TYPE_CHECKING:
    from iosq.toolkit.advise.finding import Finding, Known
    from iosq.toolkit.sql.filter import Filter


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
    app.command()(advise)


def advise(
    topic: Annotated[Topic, typer.Argument(help="pav: aliases; nvs: NVS and cache; migrate: other machines.")],
    lake: LakeOption = None,
    form: Annotated[Form, typer.Option("--format", help="For people or for programs.")] = Form.text,
    to: Annotated[
        list[str] | None, typer.Option("--to", metavar="MACHINE", help="migrate: only these machines; repeatable.")
    ] = None,
    machine: Annotated[
        str | None, typer.Option("--machine", metavar="NAME", help="pav: the box, a machine or a .toml file.")
    ] = None,
    read_ratio: Annotated[
        float | None, typer.Option(metavar="0..1", help="pav: reads of all I/Os, where no cache record tells.")
    ] = None,
    footprint_gb: Annotated[float, typer.Option(metavar="GB", help="pav: data each volume touches.")] = 1.0,
    since: SinceOption = None,
    until: UntilOption = None,
    system: SystemOption = None,
    lcu: LcuOption = None,
    volume: VolumeOption = None,
) -> None:
    """Say what to do about the volumes of a lake, what to expect of it, and why: most urgent first.

    Thresholds can be set in iosq.toml; docs/reference/rules.md lists them.

    Example: iosq advise pav --lake lake
    """
    from iosq.toolkit.advise.finding import Known
    from iosq.toolkit.advise.text import as_json, as_text

    known = Known(machine, read_ratio, footprint_gb)
    found = _found(topic, lake, to or [], chosen(since, until, system, lcu, volume), known)
    typer.echo(as_json(found) if form is Form.json else as_text(found) or "nothing found", nl=True)
    say(f"{len(found)} findings" if len(found) != 1 else "1 finding")


def _found(topic: Topic, lake: LakeOption, to: list[str], where: Filter, known: Known) -> list[Finding]:
    from iosq.toolkit.advise import migrate, run
    from iosq.toolkit.advise.held import held

    limits = thresholds()
    with held(open_lake(lake, where=where)) as con:
        if topic is Topic.migrate:
            return migrate.rank(con, to or migrate.targets())
        return run(con, limits, "pav" if topic is Topic.pav else "nvs", known)
