"""The whole z/VM table once for all tests."""

import pytest

from iosq.models.validate import validate


@pytest.fixture(scope="session")
def table():
    return validate(["zvm_pav"])
