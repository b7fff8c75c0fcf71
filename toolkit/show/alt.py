"""Altair, imported when a chart first needs it, because that takes half a second."""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from altair import *  # noqa: F403 - the names of the library
else:

    def __getattr__(name: str) -> object:
        return getattr(import_module("altair"), name)
