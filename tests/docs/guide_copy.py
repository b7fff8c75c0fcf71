"""Guides followed on a throw-away copy of the sources: what stands in a fenced block with a path goes to that path."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCES = ("iosq", "parsers", "models", "toolkit")
FILE = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def files(guide: str) -> dict[str, str]:
    """The files that a guide says to write, by path."""
    return dict(FILE.findall((ROOT / "docs" / "guides" / f"{guide}.md").read_text("utf-8")))


def followed(guide: str, folder: Path) -> Path:
    """A copy of the sources in `folder` with the files of the guide; a table that is there gets the rows."""
    for name in SOURCES:
        shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    given = files(guide)
    assert given, f"{guide} has no block with a path"
    for path, text in given.items():
        target = folder / path
        assert target.suffix == ".csv" or not target.exists(), f"{path} is there already"
        target.parent.mkdir(parents=True, exist_ok=True)
        with target.open("a", encoding="utf-8") as file:
            file.write(text)
    return folder


def run(copy: Path, code: str) -> str:
    """What a program prints whose `iosq` is the copy."""
    support = [str(copy), *(str(ROOT / "tests/parsers" / name) for name in ("", "rmf", "smf"))]
    env = {k: v for k, v in os.environ.items() if k != "IOSQ_LAKE"} | {"PYTHONPATH": os.pathsep.join(support)}
    head = f"import iosq, pathlib; assert pathlib.Path(iosq.__file__).is_relative_to({str(copy)!r}), iosq.__file__\n"
    command = [sys.executable, "-c", head + code]
    done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
