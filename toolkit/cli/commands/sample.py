"""`iosq sample`: synthetic dumps and listings."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.output import check_folder


def sample(
    directory: Path,
    seed: int = 1,
    scale: int = 1,
    days: int = 1,
    study: str | None = None,
) -> None:
    """Write SMF dumps of a small synthetic sysplex.

    They cover one day and contain planted problems, which DIR/.truth.json lists. Use --days 28 to try iosq trend and
    iosq compare.

    With --study the command writes z/VM listings with the numbers of a published study; zvm-pav is IBM's z/VM PAV
    study.

    Example: iosq sample sample --seed 7
    """
    check_folder(directory, "DIR")
    for path in iosq.sample(directory, seed=seed, scale=scale, days=days, study=study):
        say(str(path))
