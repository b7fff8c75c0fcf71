"""Duplicate volsers: volumes of one serial in two boxes at once, as of two sites in one lake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "duplicate_volsers.sql")


def duplicate_volsers(con: Connection) -> str:
    """A sentence on serials that systems name in several subsystems at once; empty where none is.

    Args:
        con: a lake, or a part of it.
    """
    (row,) = ask(con, QUESTION).to_pylist()
    return _notice(row) if row["volumes"] else ""


def _notice(r: Row) -> str:
    several = r["volumes"] > 1
    names = (
        f"{r['volumes']} duplicate volsers ({r['volume']} the first)" if several else f"Duplicate volser {r['volume']}"
    )
    places = r["duplicates"].split("|")
    alone = (
        f"It is unknown which of them {r['unplaced']} uses: its cache statistics do not name it. "
        if r["unplaced"] else ""
    )  # fmt: skip
    return (
        f"{names}: several subsystems have {'them' if several else 'it'} at once ({listed(places)}), as with two "
        f"sites. Each disk counts alone (view shared_volume_interval). {alone}Load each site into its own lake."
    )
