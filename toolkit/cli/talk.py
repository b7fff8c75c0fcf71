"""Talk to the user, on standard error: standard output is for data."""

from __future__ import annotations

import typer


def say(text: str) -> None:
    """One line."""
    typer.echo(text, err=True)
