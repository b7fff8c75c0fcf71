"""The shipped sample, written once and read back."""

import pytest
from sample_reading import Read

from tests.shipped import write_shipped


@pytest.fixture(scope="session")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Read:
    found = Read(write_shipped(tmp_path_factory.mktemp("shipped") / "smf"))
    found.decode()
    return found
