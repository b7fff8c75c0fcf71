"""Runs the command in the process of a test."""

from collections.abc import Sequence
from typing import Any

from typer.testing import CliRunner, Result

from iosq.toolkit.cli.main import build


def invoked(words: Sequence[str], **more: Any) -> Result:
    """What a command line does; only the command that it names is made, as `iosq` itself does."""
    return CliRunner().invoke(build(words), words, **more)


def lines_of(stderr: str) -> list[str]:
    """The lines of a command, without those that a slow machine adds of how far it is."""
    return [line for line in stderr.splitlines() if " so far" not in line]
