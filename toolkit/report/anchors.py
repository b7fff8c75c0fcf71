"""Names of places inside the page: what a link says and an element is called."""

from __future__ import annotations

from urllib.parse import quote

from iosq.toolkit.rows import Row

# what neither a browser's encodeURIComponent nor this function encodes, so that the script finds the same names
_PLAIN = "!'()*"


def anchor(kind: str, *names: str) -> str:
    """`lcu-0012-SYSA`: safe in an address and as an element's id, whatever a volume is called."""
    return "-".join([kind, *(quote(name, safe=_PLAIN) for name in names)])


def volume_id(row: Row) -> str:
    """The anchor of a volume's page, from a row with `volume` and `system`."""
    return anchor("volume", row["volume"], row["system"])
