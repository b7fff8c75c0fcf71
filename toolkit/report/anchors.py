"""Element ids inside the page, also used by links."""

from urllib.parse import quote

from iosq.toolkit.rows import Row

# characters that a browser's encodeURIComponent does not encode either, so that the script finds the same ids
_PLAIN = "!'()*"


def anchor(kind: str, *names: str) -> str:
    """An id such as `lcu-0012-SYSA`, safe in an address and as an element id for any volume name."""
    return "-".join([kind, *(quote(name, safe=_PLAIN) for name in names)])


def volume_id(row: Row) -> str:
    """The id of a volume's page, from a row with `volume` and `system`."""
    return anchor("volume", row["volume"], row["system"])
