"""`iosq advise`: what to do, what to expect, and why."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.advice import advice, asked
from iosq.toolkit.cli.filters import LcuOption, SinceOption, SystemOption, UntilOption, VolumeOption, chosen
from iosq.toolkit.cli.session import LakeOption, open_lake, say, thresholds
from iosq.toolkit.errors import RequestError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from iosq.toolkit.advise.engine import Settings
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
    _refuse(topic, "pav", {"--every": every, "--machine": machine, "--read-ratio": read_ratio})
    _refuse(topic, "migrate", {"--to": to})
    where, limits = chosen(since, until, system, lcu, volume), thresholds()
    known = _known(machine, read_ratio, footprint_gb)
    if every:
        _lines(lake, where, limits, known, form)
    elif topic is Topic.migrate:
        _findings(_targets(lake, where, to), form)
    else:
        _findings(advice(lake, where, limits, "pav" if topic is Topic.pav else "nvs", known), form)


def _refuse(topic: Topic, wanted: str, given: Mapping[str, object]) -> None:
    """An option of another topic would be left out without a word."""
    for option, value in given.items():
        if value and topic != wanted:
            raise RequestError(f"is about {wanted}, not {topic}", place=option, remedy=f"ask iosq advise {wanted}")


def _known(machine: str | None, read_ratio: float | None, footprint_gb: float) -> Known:
    from iosq.models.queueing.checks import positive, ratio
    from iosq.toolkit.advise.finding import Known
    from iosq.toolkit.predict.sources import named

    positive(**{"--footprint-gb": footprint_gb})
    if read_ratio is not None:
        ratio(**{"--read-ratio": read_ratio})
    if machine is not None:
        named(machine)  # refused here, whether or not a finding comes to need it
    return Known(machine, read_ratio, footprint_gb)


def _targets(lake: LakeOption, where: Filter, to: list[str] | None) -> list[Finding]:
    from iosq.toolkit.advise import migrate
    from iosq.toolkit.advise.held import held

    with held(open_lake(lake, where=where)) as con:
        return migrate.rank(con, to or migrate.targets())


def _findings(found: list[Finding], form: Form) -> None:
    from iosq.toolkit.advise.text import as_json, as_text

    typer.echo(as_json(found) if form is Form.json else as_text(found) or "nothing found", nl=True)
    say(f"{len(found)} findings" if len(found) != 1 else "1 finding")


def _lines(lake: LakeOption, where: Filter, limits: Settings, known: Known, form: Form) -> None:
    from iosq.toolkit.advise import run
    from iosq.toolkit.advise.part import verdicts_of_part
    from iosq.toolkit.advise.verdicts import as_json, as_table, verdicts

    rows = asked(lake, where, lambda con: verdicts(con, run(con, limits, known=known)), verdicts_of_part)
    typer.echo(as_json(rows) if form is Form.json else as_table(rows) or "no volumes")
    say(f"{len(rows)} volumes, LCUs and groups; iosq advise pav says more about what a rule found")
