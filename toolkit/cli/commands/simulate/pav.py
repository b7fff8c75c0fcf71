"""`iosq simulate pav`."""

from dataclasses import dataclass, replace
from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Asked, Options, refuse_unread
from iosq.toolkit.errors import RequestError


@dataclass(frozen=True)
class Shown(Options):
    """Which counts are answered for, and how."""

    utc: bool = False

    aliases: int | None = None


def pav(
    first: str | None = None,
    lake: Path | None = None,
    part: Asked = Asked(),
    machine: str | None = None,
    work: o.Work = o.Work(),
    requesters: float | None = None,
    pool: int | None = None,
    shown: Shown = Shown(),
    out: o.Out = o.Out(),
) -> None:
    """Predict response and wait for each alias count or pool size.

    Name a volume or LCU of the lake, or give numbers: --rate and --service-ms (open workload), or --requesters
    (closed). --since and --until limit the search for the longest queue and the fit of the box. The whole box is
    always included.

    Example: iosq simulate pav --rate 120 --wait-ms 4 --service-ms 5 --read-ratio 0.7 --machine ds8100
    """
    asked = replace(part, volume=[*([first] if first else []), *(part.volume or [])])
    answer: iosq.Answer
    if asked.volume or asked.lcu:
        if work.rate is not None:
            raise RequestError("a volume or LCU of the lake was named too", place="--rate", remedy="give one of them")
        given = iosq.simulate.Given(machine, work.read_ratio, work.footprint_gb)
        answer = asked.of(lake).simulate.pav(
            aliases=shown.aliases,
            given=given,
            pool=pool,
            requesters=requesters,
            exposures=work.exposures,
            utc=shown.utc,
        )
    else:
        refuse_unread(lake, asked, "no volume and no --lcu is named", "name one")
        answer = iosq.simulate.pav(work.numbers(requesters, pool), aliases=shown.aliases, machine=machine)
    out.emit(answer)
