"""A volume whose I/Os wait longer than a missing interrupt stood still, with a pool or without."""

import pytest
from advise_rows import database, pool, volume

from iosq.toolkit.advise.engine import run


@pytest.mark.parametrize(("code", "is_pooled"), [("same_extent", True), ("pav_add_alias", False)])
def test_a_volume_whose_ios_wait_longer_than_a_missing_interrupt_stood_still(code: str, is_pooled: bool) -> None:
    late = {2, 3}
    rows = [
        volume(n, wait=4e5 if n in late else 0.0, rate=0.06 if n in late else 100.0, lcu="0011",
               is_hyperpav=is_pooled, exposures=None if is_pooled else 2.0)
        for n in range(8)
    ]  # fmt: skip
    pools = [pool(n, alias_high_water=2) for n in range(8)] if is_pooled else []
    every = run(database(("pav_candidate",), volume_interval=rows, lcu_interval=pools))
    (finding,) = (f for f in every if "stood still" in f.text)
    assert (finding.code, finding.severity) == (code, "watch") and "IOS071I" in finding.advice
    assert finding.aliases is not None and finding.aliases.verdict == "wont_help"
