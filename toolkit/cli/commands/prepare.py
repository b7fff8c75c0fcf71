"""`iosq prepare`: compute all views once."""

from __future__ import annotations

import typer

import iosq
from iosq.toolkit.cli.options import LakeOption, Limits, expanded
from iosq.toolkit.cli.talk import say
from iosq.toolkit.show.numbers import plural
from iosq.toolkit.units import human_bytes


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expanded(prepare))


def prepare(lake: LakeOption = None, limits: Limits = Limits()) -> None:
    """Compute all views once and keep their rows in the lake: questions, advice and reports read them from there.

    What advice and the report ask of the whole lake is asked as well, and its answers are kept: with the same
    thresholds, and without a time, they take some seconds of a lake of any size.

    They hold until something is ingested; then views are computed at each question again until iosq prepare has run
    anew, which computes the days about which something was ingested, and what is about the whole lake.

    Example: iosq prepare --lake lake
    """
    del limits  # in force as soon as they were read
    kept = iosq.open(lake).prepare()
    days = f", of which {kept.former_days} of {plural(kept.days, 'day')} were there" if kept.former_days else ""
    views = f"{kept.views} views and {plural(kept.answers, 'answer')} kept, {human_bytes(kept.bytes)}{days}"
    say(f"{views}; questions read them until something is ingested")
