"""What costs much is shared: which tests stay in one process, and lakes opened once for many questions.

With `pytest -n 2` a file's tests stay together, and those of a folder whose lakes and pages cost more
to make than to ask.
"""

import fcntl
import gc
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling

# commands that tests start would compile all of our code each time, a third of a second; and each run all tests, seven
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
# two workers whose matrices take two threads each wait for one another, at full speed
os.environ["OPENBLAS_NUM_THREADS"] = "1"
sys.dont_write_bytecode = False
# not the cache of who runs the tests
os.environ["XDG_CACHE_HOME"] = str(Path(__file__).parents[1] / ".cache")


class _NotThere:
    """DuckDB looks for pandas at every parameter, pyarrow for dateutil: not finding them on the path takes long."""

    MISSING = tuple(name for name in ("pandas", "dateutil") if importlib.util.find_spec(name) is None)

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        if name in _NotThere.MISSING:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


sys.meta_path.insert(0, _NotThere)

TESTS = Path(__file__).parent
# files that ask the same made-up days (`planted`)
PLANTED = ("integration/test_one_answer.py", "toolkit/advise/test_advise_score.py")
TOGETHER = ("toolkit/report", "toolkit/cli", "toolkit/sql", "models/validate")
# begun early, so that no worker is left with minutes of work at the end: what belongs together, then single long tests
LONG = (*TOGETHER, "integration", "docs", "iosq")


class _ByPlace(LoadScopeScheduling):
    """Hands a worker all tests of a file, or of a folder that belongs together."""

    def _split_scope(self, nodeid: str) -> str:
        place = nodeid.split("::")[0].removeprefix(f"{TESTS.name}/")
        if place in PLANTED:
            return PLANTED[0]
        return next((folder for folder in TOGETHER if place.startswith(f"{folder}/")), place)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    # groups by marks (--dist loadgroup) need an attribute of tests that pytest 9.2 no longer has
    return _ByPlace(config, log)


def _turn(item: pytest.Item) -> int:
    place = item.path.relative_to(TESTS).as_posix()
    return next((turn for turn, folder in enumerate(LONG) if place.startswith(f"{folder}/")), len(LONG))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=_turn)


def pytest_collection_finish() -> None:
    """What seven thousand tests are made of stays: it need not be looked through again and again."""
    gc.freeze()


def pytest_sessionfinish() -> None:
    gc.unfreeze()  # else extensions report objects that were not released


@pytest.fixture(scope="session", autouse=True)
def no_disk_is_waited_for() -> Iterator[None]:
    """An ingest of two weeks waits two thousand times, some ms each, for what no test looks at: none cuts the power."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _descriptor: None)
        yield


@pytest.fixture(scope="session")
def study_listings(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The listings of the published study, one a controller: written by one worker, for reading only."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "study-listings"
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_suffix(".unfinished")
            importlib.import_module("iosq.parsers.fcx.study").write(unfinished)
            unfinished.rename(folder)
    return sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime_ns)


@pytest.fixture(scope="session")
def planted() -> Iterator[Any]:
    """Made-up days with the troubles that rules know, and what the rules find in them."""
    days: Any = importlib.import_module("tests.planted")
    with closing(days.Planted()) as kept:
        yield kept
