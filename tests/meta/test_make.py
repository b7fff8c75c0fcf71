"""`make test` runs every check in parallel with the tests, shows their output, and fails if any of them does."""

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PARTS = ("ruff", "mypy", "lint-imports", "python", "pytest")
pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="no make on this machine")


def made(folder: Path, failing: str) -> subprocess.CompletedProcess[str]:
    """`make test` with programs that only print their names; one fails."""
    for name in PARTS:
        program = folder / name
        program.write_text(f"#!/bin/sh\necho {name} was here\nexit {int(name == failing)}\n")
        program.chmod(0o755)
    installed = folder / "installed"
    installed.touch()  # newer than what an installation is made from: nothing is installed
    command = ["make", "test", f"BIN={folder}", f"STAMP={installed}"]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize("failing", PARTS)
def test_any_part_that_fails_fails_the_whole_and_the_others_run(failing: str, tmp_path: Path) -> None:
    done = made(tmp_path, failing)
    assert done.returncode != 0
    assert all(f"{name} was here" in done.stdout for name in PARTS)


def test_it_passes_where_all_parts_do(tmp_path: Path) -> None:
    assert made(tmp_path, "").returncode == 0
