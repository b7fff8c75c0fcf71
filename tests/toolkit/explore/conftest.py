"""Two lakes behind the real command, each opened in a browser: a troubled one of two days, and one of hostile names."""

import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

# what drives a browser stands with the tests of the page
sys.path.insert(0, str(Path(__file__).parents[1] / "report"))

from driver import HOSTILE, Tab, opened

import iosq
from iosq.toolkit.sample import write
from iosq.toolkit.sample.sysplex import sysplex

HOURS = [96 * day + n for day in (0, 1) for n in (*range(4, 12), *range(36, 44))]  # 01:00 to 03:00, 09:00 to 11:00


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
        sysplex.cache_clear()  # other tests read the plan before
        write(root / "dumps", intervals=range(6, 10))
    sysplex.cache_clear()
    iosq.ingest(root / "lake", [root / "dumps"])
    return root / "lake"


@pytest.fixture(scope="module")
def shared_page(troubled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tab]:
    with opened(troubled, tmp_path_factory.mktemp("profile")) as tab:
        yield tab
