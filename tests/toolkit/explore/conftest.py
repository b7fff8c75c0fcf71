"""Two lakes behind the real command, each opened in a browser: a troubled one of two days, and one of hostile names."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

# what drives a browser stands with the tests of the page
sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

from driver import Tab, browser

import iosq
from iosq.toolkit.sample import write

HOURS = [96 * day + n for day in (0, 1) for n in (*range(4, 12), *range(36, 44))]  # 01:00 to 03:00, 09:00 to 11:00
HOSTILE = "<b>"  # in place of the letters of a volume serial, also in the name of its data sets


@pytest.fixture(scope="session")
def troubled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("explored")
    write(root / "dumps", intervals=HOURS, days=2)
    iosq.ingest(root / "lake", [root / "dumps"])
    return root / "lake"


@pytest.fixture(scope="session")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root, read = tmp_path_factory.mktemp("hostile"), tomllib.loads
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tomllib, "loads", lambda text: read(text.replace("BAT", HOSTILE)))
        write(root / "dumps", intervals=range(6, 10))
    iosq.ingest(root / "lake", [root / "dumps"])
    return root / "lake"


@contextmanager
def served(lake: Path, *words: str) -> Iterator[str]:
    """The address of the app, with its token; its lake has a short name, which the pictures show."""
    command = [sys.executable, "-m", "iosq", "explore", "--lake", lake.name, "--no-browser", *words]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, cwd=lake.parent, text=True, **pipes)
    try:
        assert process.stdout
        found = next(filter(None, (re.search(r"http://\S+", line) for line in process.stdout)), None)
        assert found, "the app did not start"
        yield found[0]
    finally:
        process.terminate()
        process.wait(timeout=60)


@contextmanager
def opened(lake: Path, profile: Path) -> Iterator[Tab]:
    with served(lake) as address, browser(profile) as tab:
        tab.address = address
        tab.size(1280, 1000)
        tab.send("Page.navigate", url=address)
        tab.reads("Hours of each box")
        yield tab


@pytest.fixture(scope="module")
def page(troubled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with opened(troubled, tmp_path_factory.mktemp("profile")) as tab:
        yield tab
