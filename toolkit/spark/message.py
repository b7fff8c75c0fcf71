"""Spark's error message, in one line."""

from __future__ import annotations

_CALLED = "An error occurred while calling "  # the bridge to Java, of itself; Java's own word is in the next line


def message(error: Exception) -> str:
    """The first line with the cause."""
    lines = [line for line in str(error).strip().splitlines() if not line.startswith(_CALLED)]
    return lines[0].removeprefix(": ").strip() if lines else type(error).__name__
