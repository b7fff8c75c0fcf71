"""`iosq simulate plan`."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.commands.simulate import options as o


def plan(
    runs: int = 15,
    volumes: int = 8,
    aliases: int = 4,
    gb_per_requester: float = 0.06,
    cache_gb: float | None = None,
    points: list[Path] | None = None,
    machine: str | None = None,
    out: o.Out = o.Out(),
) -> None:
    """Name the most informative runs to measure for `simulate fit`.

    Each row is a run. Fill in io_rate, and `simulate fit --points` can read the rows.

    Five runs at a time are better than fifteen at once: measure them, fill in io_rate, and get five more with
    --points, which repeats none. Or use --machine with the file that `simulate fit` made of them. `simulate fit` takes
    all the files.

    Example: iosq simulate plan --runs 8 -o runs.csv
    """
    out.emit(
        iosq.simulate.plan(
            runs,
            volumes=volumes,
            aliases=aliases,
            gb_per_requester=gb_per_requester,
            cache_gb=cache_gb,
            points=points or (),
            machine=machine,
        )
    )
