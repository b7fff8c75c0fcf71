"""Forty situations, with expectations that were fixed before the first run.

Some of those of two hours and of z/VM are small enough for every run. `python -m tests.situations_independent` tries
all.
"""

from pathlib import Path
from typing import Any

import pytest

import iosq
from tests.length import some
from tests.situations_independent.cp import Listing
from tests.situations_independent.expected import MAKERS, judged
from tests.situations_independent.known import WRONG
from tests.situations_independent.monitor import Monitor
from tests.situations_independent.run import built, names, situation_called
from tests.situations_independent.shop import Shop

FORTY = [name for name in names() if ".forty." in MAKERS[name].__module__]


def _is_small(name: str) -> bool:
    shop = situation_called(name).shop
    return isinstance(shop, Listing | Monitor) or (isinstance(shop, Shop) and shop.hours <= 2)


def _marked(name: str) -> Any:
    fault = WRONG.get(name)
    return pytest.param(name, marks=pytest.mark.xfail(strict=True, reason=fault) if fault else ())


def test_they_are_forty() -> None:
    assert len(FORTY) == 40


@pytest.mark.parametrize("name", some([_marked(name) for name in FORTY if _is_small(name)]))
def test_an_analyst_would_sign(name: str, tmp_path: Path) -> None:
    s = situation_called(name)
    lake = iosq.open(built(s, tmp_path))
    outcome = judged(s, lake.findings(), lake.advise("pav") if s.pav_first else ())
    assert outcome.is_right, (outcome.unsaid, outcome.forbidden, outcome.too_sure, outcome.misplaced)
