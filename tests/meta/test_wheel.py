"""The wheel holds what git tracks: a hand-kept package list would lose a new folder silently."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ("parsers", "models", "toolkit")


def _tracked() -> set[str]:
    listed = subprocess.run(["git", "ls-files", *ROOTS], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    return {f"iosq/{name}" for name in listed.stdout.split("\n") if name and (ROOT / name).is_file()}


@pytest.mark.slow
def test_wheel_holds_every_tracked_file(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "-w", str(tmp_path)]
    # a copy: building in the checkout leaves a build folder behind that later wheels would take files from
    copy = tmp_path / "source"
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(copy)], check=True)
    subprocess.run([*build, str(copy)], check=True, cwd=tmp_path)
    (wheel,) = tmp_path.glob("*.whl")
    committed = subprocess.run(["git", "ls-files", *ROOTS], cwd=copy, capture_output=True, text=True, check=True)
    expected = {f"iosq/{name}" for name in committed.stdout.split("\n") if name}
    held = {name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("iosq/")}
    assert held == expected, f"missing {sorted(expected - held)}, strange {sorted(held - expected)}"


def test_every_tracked_kind_of_file_is_package_data() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for suffix in {Path(name).suffix for name in _tracked()} - {".py", ""}:
        assert f'"*{suffix}"' in text or suffix == ".typed", f"add *{suffix} to package-data in pyproject.toml"
