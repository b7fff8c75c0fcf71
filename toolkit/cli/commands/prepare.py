"""`iosq prepare`: kept for one version, because jobs may call it."""

from __future__ import annotations

import iosq
from iosq.toolkit.cli.options import LakeOption, Limits
from iosq.toolkit.cli.talk import say


def prepare(lake: LakeOption = None, limits: Limits = Limits()) -> None:
    """Store all facts now. No longer needed: ingest stores them, and the first query stores what is missing.

    Example: iosq prepare --lake lake
    """
    del limits  # in force as soon as they were read
    iosq.open(lake).connection().close()
    say("no longer needed: ingest stores facts, and the first query stores what is missing")
