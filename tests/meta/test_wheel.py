"""The wheel holds what git tracks: a hand-kept package list would lose a new folder silently."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOTS = ("parsers", "models", "toolkit")


def _tracked(checkout: Path) -> set[str]:
    """Names in a wheel of the files git tracks, the links in `iosq/` left out."""
    listed = subprocess.run(
        ["git", "ls-files", "iosq", *ROOTS], cwd=checkout, capture_output=True, text=True, check=False
    )
    if listed.returncode:
        pytest.skip("not a git checkout")
    names = {name for name in listed.stdout.split("\n") if name and (checkout / name).is_file()}
    return {name if name.startswith("iosq/") else f"iosq/{name}" for name in names}


def _built(folder: Path, hook: str) -> tuple[Path, Path]:
    """A clone, and what a hook of the build makes of it.

    A build in the checkout would leave a build folder behind that later wheels would take files from.
    """
    clone = folder / "iosq"
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(clone)], check=True)
    build = f"import setuptools.build_meta as m; m.{hook}('..')"
    subprocess.run([sys.executable, "-c", build], cwd=clone, capture_output=True, check=True)
    (wheel,) = folder.glob("*.whl")
    return clone, wheel


@pytest.mark.slow
def test_wheel_holds_every_tracked_file(tmp_path: Path) -> None:
    clone, wheel = _built(tmp_path, "build_wheel")
    expected = _tracked(clone)
    held = [name for name in zipfile.ZipFile(wheel).namelist() if name.startswith("iosq/")]
    assert len(held) == len(set(held))
    assert set(held) == expected, f"missing {sorted(expected - set(held))}, strange {sorted(set(held) - expected)}"


def test_an_editable_install_is_found_in_the_folder_above_a_clone_of_its_name(tmp_path: Path) -> None:
    clone, wheel = _built(tmp_path, "build_editable")
    installed = tmp_path / "installed"
    zipfile.ZipFile(wheel).extractall(installed)
    code = f"import site; site.addsitedir({str(installed)!r}); import iosq as i; print(i.Lake.__module__, i.__file__)"
    done = subprocess.run([sys.executable, "-S", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["iosq.lake", str(clone / "iosq" / "__init__.py")]


def test_every_tracked_kind_of_file_is_package_data() -> None:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    for suffix in {Path(name).suffix for name in _tracked(ROOT)} - {".py", ""}:
        assert f'"*{suffix}"' in text or suffix == ".typed", f"add *{suffix} to package-data in pyproject.toml"


def test_tools_that_read_a_checkout_find_every_package_under_its_import_name() -> None:
    for root in ROOTS:
        link = ROOT / "iosq" / root
        assert link.resolve() == ROOT / root, f"iosq/{root} should be a link to ../{root}"
    names = [sys.executable, "-S", "-c", "import iosq.toolkit.errors as e; print(e.__file__)"]
    done = subprocess.run(names, cwd=ROOT, capture_output=True, text=True, check=True)
    assert Path(done.stdout.strip()) == ROOT / "iosq" / "toolkit" / "errors.py"
