"""A sample lake with every planted trouble in a third of its day, a healthy one, and their pages."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from report_page import Page

# the rows written by hand are shared with the tests of the rules
sys.path.insert(0, str(Path(__file__).parents[1] / "advise"))

import iosq
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.report.write import write
from iosq.toolkit.sample import write as write_sample

# the night batch, the online peak and the evening batch, with quiet intervals around each
SPAN = [*range(3, 12), *range(36, 44), *range(76, 86)]


@contextmanager
def made(root: Path, intervals: Sequence[int], names: tuple[str, ...] | None = None) -> Iterator[Page]:
    write_sample(root / "dumps", intervals=intervals, names=names)
    ingest(Lake(root / "lake"), [root / "dumps"])
    with iosq.open(root / "lake").connection() as con:
        yield Page(root / "report.html", write(con, root / "report.html"), con)


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with made(tmp_path_factory.mktemp("troubled"), SPAN) as page:
        yield page


@pytest.fixture(scope="session")
def healthy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    with made(tmp_path_factory.mktemp("healthy"), range(36, 42), ("healthy",)) as page:
        yield page
