"""Runs the command in the process of a test."""

import subprocess
import sys
from collections.abc import Sequence
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from iosq.settings import settings
from iosq.toolkit.cli.main import build, run


def invoked(words: Sequence[str], **more: Any) -> Result:
    """What a command line does; only the command that it names is made, as `iosq` itself does."""
    return CliRunner().invoke(build(words), words, **more)


def ended(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What the program does in a folder: its exit code, and errors as the lines that a user reads."""
    code: object = 0
    settings.cache_clear()
    with chdir(cwd), pytest.MonkeyPatch.context() as patch, CliRunner().isolation() as (out, err, _):
        patch.setattr(sys, "argv", ["iosq", *words])
        try:
            run()
        except SystemExit as done:
            code = done.code or 0
        sys.stdout.flush()
        sys.stderr.flush()
        given = [stream.getvalue().decode() for stream in (out, err)]
    settings.cache_clear()
    assert isinstance(code, int)
    return subprocess.CompletedProcess(words, code, *given)


def lines_of(stderr: str) -> list[str]:
    """The lines of a command, without those that a slow machine adds of how far it is."""
    return [line for line in stderr.splitlines() if " so far" not in line]
