"""Runs the command in the process of a test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from typer.testing import CliRunner, Result

from iosq.toolkit.cli.main import build


def invoked(words: Sequence[str], **more: Any) -> Result:
    """What a command line does; only the command that it names is made, as `iosq` itself does."""
    return CliRunner().invoke(build(words), words, **more)
