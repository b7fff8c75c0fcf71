"""Planted situations: one file each. Adding a situation adds a file with a `SCENARIO`; nothing else changes."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from iosq.toolkit.sample.planting import Scenario


@cache
def scenarios() -> dict[str, Scenario]:
    """Every scenario of this folder by name, in order of names."""
    names = sorted(m.name for m in iter_modules(__path__))
    return {n: import_module(f"{__name__}.{n}").SCENARIO for n in names}
