"""One fixture runs a test on both decoders."""

import pytest
import smf_decoders


@pytest.fixture(scope="session", params=[smf_decoders.oracle, smf_decoders.fast], ids=["oracle", "fast"])
def decode(request):
    """A decoder: record (RDW included) to rows by table without keys, or the code of the issue that refused it."""
    return request.param
