"""A lake in a notebook: its summary, and help with misspelt attributes."""

from html import escape
from typing import TYPE_CHECKING, cast

from iosq.toolkit.errors import IosqError, nearest

if TYPE_CHECKING:
    from iosq.lake import Lake


class Shown:
    """Display of a lake in a notebook."""

    def _repr_html_(self) -> str:
        """Systems, span, missing record types and input issues."""
        try:
            text = cast("Lake", self).summary()
        except IosqError as error:
            text = str(error)
        return f"<p><b>{escape(repr(self))}</b></p><p>{escape(text)}</p>"

    def __getattr__(self, name: str) -> object:
        near = "" if name.startswith("_") else nearest(name, dir(self))
        raise AttributeError(f"{type(self).__name__!r} has no attribute {name!r}{near and f'; {near}'}")
