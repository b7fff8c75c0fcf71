"""Puts the helpers of the parsers' and views' tests on the import path: inputs are rendered and packed with them.

What a whole check of facts computes is kept for the next one.
"""

import shutil
import sys
from collections.abc import Collection, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from iosq.toolkit.facts import build, verify
from iosq.toolkit.facts.plan import Plan
from iosq.toolkit.lake.facts import Piece

TESTS = Path(__file__).parents[1]
for folder in ("parsers/rmf", "parsers/fcx", "parsers/monwrite", "parsers/packaging", "parsers", "toolkit/sql"):
    sys.path.append(str(TESTS / folder))


@pytest.fixture(scope="module")
def computed_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """What the whole check computes of records, kept for the next check: facts are named by what they are made of."""
    kept = tmp_path_factory.mktemp("kept")

    def facts(plan: Plan, wanted: Collection[str]) -> dict[str, list[Piece]]:
        assert plan.apart
        build.facts(replace(plan, apart=kept), wanted)
        shutil.copytree(kept, plan.apart, dirs_exist_ok=True)
        return {}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(verify, "facts", facts)
        yield
