"""The box behind volumes, in words."""

from __future__ import annotations


def opening(name: str) -> str:
    """A box's name at the beginning of a sentence."""
    return name[:1].upper() + name[1:]
