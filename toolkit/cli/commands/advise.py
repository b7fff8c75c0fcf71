"""`iosq advise`: what to do, what to expect, and why."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer

from iosq.toolkit.cli.options import Engine, LakeOption, Options, OutputOption, UtcOption, expanded
from iosq.toolkit.cli.result import deliver, form_of
from iosq.toolkit.cli.talk import say
from iosq.toolkit.cli.weights import WEIGHTS
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from iosq import Findings, Verdicts


class Topic(StrEnum):
    """What advice is wanted about."""

    pav = "pav"
    nvs = "nvs"
    migrate = "migrate"


ENDINGS = {".txt": "text", ".json": "json"}


@dataclass(frozen=True)
class Out(Options):
    """How findings leave; what can't be written is refused before the work is done."""

    form: Annotated[
        str | None, typer.Option("--format", metavar="FORMAT", help="text or json; else what the file's ending says.")
    ] = None
    output: OutputOption = None
    utc: UtcOption = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", form_of(self.form, self.output, ENDINGS))

    def deliver(self, found: Findings | Verdicts, nothing: str) -> None:
        """For people or for programs."""
        if self.form == "json":  # where nothing is found the array is empty, and says nothing of what it rests on
            say(found.heading)
        text = f"{fill(found.heading, 100)}\n\n{found.text() or nothing}"
        deliver(found.json() if self.form == "json" else text, self.output)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expanded(advise))


def advise(
    topic: Annotated[Topic, typer.Argument(help="pav: aliases; nvs: NVS and cache; migrate: other machines.")],
    lake: LakeOption = None,
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
    footprint_gb: Annotated[
        float | None, typer.Option(metavar="GB", help="pav: data each volume touches; several sizes are tried without.")
    ] = None,
    part: Engine = Engine(),
    out: Out = Out(),
) -> None:
    """Say what to do about the volumes of a lake, what to expect of it, and why: most urgent first.

    Thresholds can be set in iosq.toml; iosq describe RULE tells those of a rule.

    Example: iosq advise pav --lake lake
    """
    _refuse(topic, "pav", {"--every": every, "--machine": machine, "--read-ratio": read_ratio})
    _refuse(topic, "migrate", {"--to": to})
    if topic == "migrate":
        stages.weigh(WEIGHTS["advise migrate"])
    asked = part.of(lake, out.utc)
    if every:
        rows = asked.verdicts(machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb)
        out.deliver(rows, "no volumes")
        what = "volume, LCU or group" if len(rows) == 1 else "volumes, LCUs and groups"
        say(f"{len(rows):,} {what}; iosq advise pav says more about what a rule found")
    else:
        found = asked.advise(
            topic.value, machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb, to=to or ()
        )
        out.deliver(found, "nothing found")
        say(plural(len(found), "finding"))


def _refuse(topic: Topic, wanted: str, given: Mapping[str, object]) -> None:
    """An option of another topic would be left out without a word."""
    for option, value in given.items():
        if value and topic != wanted:
            raise RequestError(f"is about {wanted}, not {topic}", place=option, remedy=f"ask iosq advise {wanted}")
