"""`iosq prepare`: kept for one version, because jobs may call it."""

from pathlib import Path

import iosq
from iosq.toolkit.cli.options import Limits
from iosq.toolkit.cli.talk import say


def prepare(lake: Path | None = None, limits: Limits = Limits()) -> None:
    """Store all facts now. This is optional: ingest and the first query store them.

    Example: iosq prepare --lake lake
    """
    del limits  # in force as soon as they were read
    iosq.open(lake).connection().close()
    say("optional: ingest and the first query store facts")
