"""One pool has one number of aliases, whatever work fills it."""

import numpy as np
import pytest
from advise_rows import Row, database
from test_advise_pools import RULES, closed, dry, lake_of, served

from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.sql.engine import Connection
from tests.length import tried


def both_kinds(seed: int, pools: int = 6) -> Connection:
    """Pools of four that closed work fills in some hours and arrivals queue for in others; before they had more."""
    rng = np.random.default_rng(seed)
    given: list[tuple[list[Row], Row]] = []
    for lcu in (f"{n:04X}" for n in range(pools)):
        elasticity, waits = rng.uniform(0.2, 1.0), rng.choice([0.0, 0.4, 1.0, 4.0], 4)
        day = [closed(n, more, elasticity) for n, more in enumerate((32, 24, 16, 8))]
        day += [closed(4 + n, 4, elasticity, rng.integers(3, 6)) for n in range(rng.integers(2, 6))]
        day += [(served(n, 900.0, wait), dry(n, 900.0, wait)) for n, wait in enumerate(waits, 12)]
        for rows, p in day:
            # it is the box that makes them longer, not the way to it
            own = [r | {"lcu": lcu, "volume": f"{lcu}{r['volume']}", "conn_ms": 0.3} for r in rows]
            given.append((own, p | {"lcu": lcu}))
    return database(("pav_candidate",), **lake_of(*given))


@pytest.mark.parametrize("seed", tried(range(1), range(3)))
def test_one_pool_has_one_number(seed: int) -> None:
    """A law: no two findings to act on give different numbers of aliases for one pool, nor does it take two to."""
    con = both_kinds(seed)
    rules = [apply(con, RULES[code]) for code in ("alias_pool_dry", "closed_load")]
    asked = [{s: f for f in found for s in f.subject.each if f.severity == "act"} for found in rules]
    twice = {s for s in asked[0].keys() & asked[1].keys() if asked[0][s].aliases != asked[1][s].aliases}
    assert twice, "each rule has its own number"
    found = apart(run(con))
    for pool_of in asked[0].keys() | asked[1].keys():
        mine = [f for f in found if pool_of in f.subject.each and f.aliases and f.severity != "note"]
        assert len({(f.aliases.now, f.aliases.fewest, f.aliases.most) for f in mine if f.aliases}) == 1, pool_of
        stated = {f.code for f in mine} | {code for f in mine for code, s in f.covers if s == pool_of}
        assert pool_of not in twice or {"alias_pool_dry", "closed_load"} <= stated
    held = [f for f in found if "About the same queue: A fixed number of requesters fills alias pool" in f.details]
    assert held and {f.code for f in held} == {"alias_pool_dry"}
