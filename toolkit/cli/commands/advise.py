"""`iosq advise`: recommended actions with effect and evidence."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill
from typing import Literal

import iosq
from iosq.toolkit.cli.options import Engine, Options
from iosq.toolkit.cli.result import deliver, form_of
from iosq.toolkit.cli.talk import say
from iosq.toolkit.cli.weights import WEIGHTS
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import stages
from iosq.toolkit.show.numbers import plural

Topic = Literal["all", "pav", "nvs", "migrate"]
ENDINGS = {".txt": "text", ".json": "json"}


@dataclass(frozen=True)
class Delivery(Options):
    """How findings leave; what can't be written is refused before the work is done."""

    number: int | None = None
    form: str | None = None
    output: Path | None = None
    utc: bool = False
    verbose: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "form", form_of(self.form, self.output, ENDINGS))

    def findings(self, found: "iosq.Findings", topic: Topic) -> None:
        """Findings for people or programs; without the evidence unless one is named or it is asked for."""
        number, brief = self.number, self.number is None and not self.verbose
        if number is not None and number > len(found):
            known = plural(len(found), "finding")
            raise RequestError(f"there is no finding {number}", place="N", remedy=f"{known} for {topic}")
        self.deliver(found, found.text(brief=brief, only=number) or "no findings")
        more = f"; evidence of one: iosq advise {topic} N, of all: -v" if found and brief else ""
        say(f"{plural(len(found), 'finding')}{more}")

    def deliver(self, found: "iosq.Findings | iosq.Verdicts", text: str) -> None:
        if self.form == "json":  # an empty array does not say what it rests on
            say(found.heading)
        text = f"{fill(found.heading, 100)}\n\n{text}"
        deliver(found.json() if self.form == "json" else text, self.output)


def advise(
    topic: Topic = "all",
    lake: Path | None = None,
    to: list[str] | None = None,
    every: bool = False,
    machine: str | None = None,
    read_ratio: float | None = None,
    footprint_gb: float | None = None,
    part: Engine = Engine(),
    out: Delivery = Delivery(),
) -> None:
    """Recommend actions with expected effect, most urgent first.

    Set thresholds in iosq.toml. `iosq describe RULE` lists the thresholds of a rule.

    Example: iosq advise pav --lake lake
    """
    _refuse(topic, ("pav",), {"--every": every})
    _refuse(topic, ("pav", "all"), {"--machine": machine, "--read-ratio": read_ratio, "--footprint-gb": footprint_gb})
    _refuse(topic, ("migrate",), {"--to": to})
    if topic == "migrate":
        stages.weigh(WEIGHTS["advise migrate"])
    asked = part.of(lake, out.utc)
    if every and out.number is not None:
        raise RequestError("names a finding, but --every lists no findings", place="N", remedy="leave one of them out")
    if every:
        rows = asked.verdicts(machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb)
        out.deliver(rows, rows.text() or "no volumes")
        what = "volume, LCU or group" if len(rows) == 1 else "volumes, LCUs and groups"
        say(f"{len(rows):,} {what}; iosq advise pav gives the findings")
    else:
        found = asked.advise(topic, machine=machine, read_ratio=read_ratio, footprint_gb=footprint_gb, to=to or ())
        out.findings(found, topic)


def _refuse(topic: Topic, wanted: tuple[str, ...], given: Mapping[str, object]) -> None:
    for option, value in given.items():
        if value and topic not in wanted:
            raise RequestError(
                f"applies to {wanted[0]}, not {topic}", place=option, remedy=f"use iosq advise {wanted[0]}"
            )
