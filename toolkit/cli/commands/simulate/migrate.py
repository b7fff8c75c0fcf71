"""`iosq simulate migrate`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import typer

from iosq.toolkit.cli import completion
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import LakeOption, Options, Part, UtcOption, refuse_unread
from iosq.toolkit.cli.talk import say


@dataclass(frozen=True)
class Plan(Options):
    """What is asked of the new machine."""

    growth: Annotated[float, typer.Option(metavar="N", help="Plan for N times the measured rates.")] = 1.0
    boxes: Annotated[int | None, typer.Option(metavar="N", help="Number of boxes; default the fewest that fit.")] = None
    response_ms: Annotated[float | None, typer.Option(metavar="MS", help="Longest acceptable mean response.")] = None
    channel: Annotated[str | None, typer.Option(metavar="NAME", help="Channels in front, a machine file.")] = None
    channels: Annotated[int, typer.Option(metavar="N", help="Channels of a box.")] = 1
    block_bytes: Annotated[float, typer.Option(metavar="BYTES", help="Data per I/O.")] = 4096.0
    capacity_gb: Annotated[float | None, typer.Option(metavar="GB", help="Data a volume holds.")] = None
    back_end: Annotated[float, typer.Option(metavar="N", help="Scale disks and cache of a box by N.")] = 1.0


def migrate(
    to: Annotated[
        str,
        typer.Option("--to", metavar="MACHINE", autocompletion=completion.machines, help="A machine, or a .toml file."),
    ],
    lake: LakeOption = None,
    part: Part = Part(),
    at: Annotated[str | None, typer.Option(metavar="TIME", help="Start of the interval; default the busiest.")] = None,
    utc: UtcOption = False,
    plan: Plan = Plan(),
    work: o.Work = o.Work(),
    out: o.Out = o.Out(),
) -> None:
    """Move the measured load to another machine: response per volume, first bottleneck, number of boxes.

    Filters select the volumes that move and the search for their busiest interval. Volumes left behind are not solved.

    Example: iosq simulate migrate --to ds8100 --lake lake
    """
    from iosq import simulate

    wish = simulate.Wish(to, **vars(plan), given=simulate.Given(None, work.read_ratio, work.footprint_gb))
    if work.rate is None:
        if part.system:
            systems = ", ".join(name.upper() for name in part.system)
            say(f"only the I/Os of {systems}: what other systems do to the same volumes is left out")
        answer = part.of(lake).simulate.migrate(wish, at=at, utc=utc)
    else:
        refuse_unread(lake, part, "--rate is given")
        answer = simulate.migrate(work.numbers(), wish)
    out.emit(answer)
