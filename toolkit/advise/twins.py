"""Volumes of one serial in two boxes at once: two sites in one lake, said beside the findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from iosq.toolkit.rows import Row
from iosq.toolkit.show.numbers import listed
from iosq.toolkit.sql.questions import ask, load

if TYPE_CHECKING:
    from iosq.toolkit.sql.engine import Connection

QUESTION = load(__package__, "twins.sql")


def volumes_told_twice(con: Connection) -> str:
    """A sentence on serials that systems name in several subsystems at once; empty where none is.

    Args:
        con: a lake, or a part of it.
    """
    (row,) = ask(con, QUESTION).to_pylist()
    return _said(row) if row["volumes"] else ""


def _said(r: Row) -> str:
    many = f"{r['volumes']} volume serials ({r['volume']} the first) stand" if r["volumes"] > 1 else (
        f"Volume serial {r['volume']} stands"
    )  # fmt: skip
    places = r["twins"].split("|")
    alone = (
        f"Nothing tells which of them {r['untold']} uses, as its own cache statistics do not name it. "
        if r["untold"] else ""
    )  # fmt: skip
    return (
        f"{many} in several subsystems at once by the cache statistics of systems ({listed(places)}): disks of one "
        f"name, as of two sites, of which each counts alone (view shared_volume_interval). {alone}"
        "Better ingest sites with the same serials into lakes of their own."
    )
