"""Talk to the user, on standard error: standard output is for data."""

from __future__ import annotations

from iosq.toolkit.show import terminal


def say(text: str) -> None:
    """One line."""
    terminal.echo(text, err=True)
