"""The situations of listings."""

from pathlib import Path

import pytest

import iosq
from tests.length import some
from tests.situations_independent.expected import judged
from tests.situations_independent.known import WRONG
from tests.situations_independent.run import built, names, situation_called

PRINTED = [name for name in names() if name.startswith(("cp_", "rmf_")) and name not in WRONG]


@pytest.mark.parametrize("name", some(PRINTED))
def test_a_system_programmer_would_sign(name: str, tmp_path: Path) -> None:
    s = situation_called(name)
    outcome = judged(s, iosq.open(built(s, tmp_path)).findings())
    assert outcome.is_right, (outcome.unsaid, outcome.forbidden, outcome.too_sure)
