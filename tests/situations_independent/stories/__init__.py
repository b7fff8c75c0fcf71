"""The situations by what they are about; importing them makes them known."""

from tests.situations_independent.stories import (
    aliases,
    boxes,
    causes,
    clocks,
    copies,
    cp,
    events,
    gaps,
    history,
    hosts,
    lookalikes,
    paths,
    sharers,
    spans,
    surprises,
    weights,
)

__all__ = [
    "aliases",
    "boxes",
    "causes",
    "clocks",
    "copies",
    "cp",
    "events",
    "gaps",
    "history",
    "hosts",
    "lookalikes",
    "paths",
    "sharers",
    "spans",
    "surprises",
    "weights",
]
