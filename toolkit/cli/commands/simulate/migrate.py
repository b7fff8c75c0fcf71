"""`iosq simulate migrate`."""

from dataclasses import dataclass
from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Options, Part, refuse_unread
from iosq.toolkit.cli.talk import say


@dataclass(frozen=True)
class Plan(Options):
    """What is asked of the new machine."""

    growth: float = 1.0
    boxes: int | None = None
    response_ms: float | None = None
    channel: str | None = None
    channels: int = 1
    block_bytes: float = 4096.0
    capacity_gb: float | None = None
    back_end: float = 1.0


def migrate(
    to: str,
    lake: Path | None = None,
    part: Part = Part(),
    at: str | None = None,
    utc: bool = False,
    plan: Plan = Plan(),
    work: o.Work = o.Work(),
    out: o.Out = o.Out(),
) -> None:
    """Move the measured load to another machine.

    The result has the response per volume, the first bottleneck and the number of boxes. Filters select the volumes
    that move, and limit the search for their busiest interval. Volumes that stay are not predicted.

    Example: iosq simulate migrate --to ds8100 --lake lake
    """
    wish = iosq.simulate.Wish(to, **vars(plan), given=iosq.simulate.Given(None, work.read_ratio, work.footprint_gb))
    if work.rate is None:
        if part.system:
            systems = ", ".join(name.upper() for name in part.system)
            say(f"only the I/Os of {systems}: I/Os of other systems to the same volumes are left out")
        answer = part.of(lake).simulate.migrate(wish, at=at, utc=utc)
    else:
        refuse_unread(lake, part, "--rate is given")
        answer = iosq.simulate.migrate(work.numbers(), wish)
    out.emit(answer)
