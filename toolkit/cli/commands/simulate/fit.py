"""`iosq simulate fit`."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o
from iosq.toolkit.cli.options import Box, refuse_unread
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check, spoken, write


def fit(
    name: str,
    points: list[Path] | None = None,
    lake: Path | None = None,
    part: Box = Box(),
    footprint_gb: float = 1.0,
    cache_gb: float | None = None,
    read_ratio: float | None = None,
    form: str = "table",
    output: Path | None = None,
) -> None:
    """Make a machine file from measured points or from a lake.

    One point is enough for a file; 15 well-chosen points (iosq simulate plan) make a good one. The file keeps the
    uncertainty of the fit, and predictions beyond the points have only bounds. The output names the next point to
    measure. The intervals of a lake must differ in load.

    A box is fitted to all its volumes and systems together, so there is no --system and no --volume; --since and
    --until select the intervals.

    Columns of the points: volumes, requesters, aliases (of each volume), read_ratio, footprint_gb (GB of all volumes
    together), io_rate (of all). Only the last is required; assumed values are printed.

    Example: iosq simulate fit mybox --lake lake --lcu 0012
    """
    target = output or Path(f"{name}.toml")
    check(target, (".toml",))
    if points:
        refuse_unread(lake, part, "--points is given")
        answer, toml = iosq.simulate.fit(name, points, cache_gb=cache_gb)
    else:
        answer, toml = part.of(lake).simulate.fit(
            name, footprint_gb=footprint_gb, read_ratio=read_ratio, cache_gb=cache_gb
        )
    write(target, toml)
    o.show(answer, form)
    for text in answer.conclusions:
        say(text)
    say(f"machine file: {spoken(target)}")
