"""`iosq simulate change`."""

from dataclasses import dataclass
from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Options, Part


@dataclass(frozen=True)
class Numbers(Options):
    """The numbers of the change."""

    old: str | None = None
    new: str | None = None
    km: float | None = None
    back_end_ms: float | None = None
    growth: float | None = None


def change(
    what: str,
    lake: Path | None = None,
    part: Part = Part(),
    numbers: Numbers = Numbers(),
    at: str | None = None,
    utc: bool = False,
    out: o.Out = o.Out(),
) -> None:
    """Change a part of the storage, or the load.

    The result is the response of each volume or box, now and after the change.

    Example: iosq simulate change channels --from express8s --to express16s+
    """
    wish = iosq.simulate.Change(what, **vars(numbers))
    out.emit(part.of(lake).simulate.change(wish, at=at, utc=utc))
