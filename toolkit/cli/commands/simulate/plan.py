"""`iosq simulate plan`."""

from __future__ import annotations

from pathlib import Path

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
    """The runs to measure on a box before `simulate fit`: those that leave least open about all others.

    Each row is a run; with io_rate filled in, the rows are what `simulate fit --points` reads.

    Five runs at a time are better than fifteen at once: measure them, fill in io_rate, and ask for five more with
    --points, which names none again; or with --machine, the file that `simulate fit` made of them. `simulate fit` takes
    all the files.

    Example: iosq simulate plan --runs 8 -o runs.csv
    """
    from iosq import simulate

    out.emit(
        simulate.plan(
            runs,
            volumes=volumes,
            aliases=aliases,
            gb_per_requester=gb_per_requester,
            cache_gb=cache_gb,
            points=points or (),
            machine=machine,
        )
    )
