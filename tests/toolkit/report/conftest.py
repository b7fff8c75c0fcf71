"""A sample lake with every planted trouble in a third of its day, and its page."""

import sys
from collections.abc import Iterator
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
from tests.once import asked_once

# the night batch, the online peak and the evening batch, with quiet intervals around each
SPAN = [*range(3, 12), *range(36, 44), *range(76, 86)]


@pytest.fixture(scope="session")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    root = tmp_path_factory.mktemp("troubled")
    write_sample(root / "dumps", intervals=SPAN)
    ingest(Lake(root / "lake"), [root / "dumps"])
    with asked_once():
        con = iosq.open(root / "lake").connection()
        shown = write(con, root / "report.html")
    with con:
        yield Page(root / "report.html", shown, con)


@pytest.fixture(scope="module", autouse=True)
def answers_are_kept() -> Iterator[None]:
    with asked_once():
        yield
