"""No promised response is below the measured pend, disconnect and connect, less what the change takes away."""

from itertools import product

import numpy as np
import pytest
from advise_rows import Row, database, pool, volume
from hypothesis import given
from hypothesis import strategies as st

from iosq.models.pav.answers import Interval, Prediction, WhatIf
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.predict.given import Given
from iosq.toolkit.predict.open_load import BoxState, Load
from iosq.toolkit.predict.open_load import volume as aliases_of
from iosq.toolkit.predict.scatter import CLOSED, OPEN, of_measured_means
from tests.length import tried

PARTS = ("pend_ms", "disc_ms", "conn_ms")
MS = st.floats(0.05, 50.0)


@given(MS, MS, st.lists(st.tuples(MS, MS, st.booleans()), min_size=1, max_size=4), st.sampled_from([OPEN, CLOSED]))
def test_an_alias_takes_away_the_wait_only(
    service: float, wait: float, more: list[tuple[float, float, bool]], parts: tuple[str, ...]
) -> None:
    """Whatever a model says. Means of an hour scatter around a known value; bounds hold without that."""

    def predicted(aliases: int, ms: float, waits: float, known: bool) -> Prediction:
        end = Interval(ms + waits, 0.5 * (ms + waits), 2 * (ms + waits))
        return Prediction(aliases, Interval(1, 1, 1), Interval(waits, 0, waits), Interval(ms, ms, ms), end, known)

    every = [predicted(0, service, wait, True), *(predicted(n, *of) for n, of in enumerate(more, 1))]
    found = of_measured_means(WhatIf(tuple(every), None, 0, False, "", ""), 0, None, parts)
    for p in found.predictions[1:]:
        assert min(p.response_ms.value, p.service_ms.value) >= service
        assert p.identifiable or p.response_ms.low >= service


@pytest.mark.parametrize("machine", [None, "ds8100"])
def test_aliases_of_a_volume(machine: str | None) -> None:
    """A box that hardly does more with more inside; bounds of a machine file hold the scatter of an hour too."""
    box = BoxState(0.9, 23, 0.8, (0.0, 0.3))
    found = aliases_of(Load(1834.0, 7.9, 0.49, 3.0), box, Given(machine=machine), range(2, 8))
    assert machine or all(p.response_ms.low >= 0.49 for p in found.predictions if not p.identifiable)
    assert all(p.response_ms.value >= 0.49 for p in found.predictions)


def made(seed: int) -> dict[str, list[Row]]:
    """Two LCUs of four volumes on a box; in some hours some have longer parts, and some wait."""
    rng = np.random.default_rng(seed)
    rows = []
    late = {
        lcu: (set(rng.integers(0, 40, 14)), rng.choice(PARTS), float(rng.uniform(0.5, 9))) for lcu in ("0010", "0011")
    }
    for n, lcu, v in product(range(40), late, range(4)):
        times, part, ms = late[lcu]
        own = dict(zip(PARTS, rng.uniform(0.1, 0.4, 3), strict=True))
        own[str(part)] += ms * (n in times and v <= seed % 4)
        wait = float(rng.uniform(0, 4)) if n in times else 0.0
        more = {"lcu": lcu, "is_hyperpav": lcu == "0011", "exposures": 2.0, "cmr_ms": own["pend_ms"] / 2}
        more["device_busy_ms"] = own["pend_ms"] / 2 * (seed % 2)
        rows.append(
            volume(n, f"{lcu}{v}", rate=float(rng.uniform(50, 300)), wait=wait,
                   **{part.removesuffix("_ms"): ms for part, ms in own.items()}, **more)
        )  # fmt: skip
    return {
        "volume_interval": rows,
        "lcu_interval": [pool(n, denied=900.0 * (n in late["0011"][0])) for n in range(40)],
    }


def least_ms(rows: list[Row]) -> float:
    """Each part as it is at its best: no change takes more away."""
    return sum(min(r[part] for r in rows) for part in PARTS)


def promises(found: list[Finding]) -> list[Finding]:
    """Those of a response."""
    return [f for f in found if f.effect and f.effect.unit == "ms" and "response" in f.effect.what]


@pytest.mark.parametrize("seed", tried(range(1), range(4)))
def test_findings_of_made_up_hours(seed: int) -> None:
    tables = made(seed)
    found = promises(run(database(**tables)))
    assert found
    for f in found:
        assert f.effect
        assert f.effect.value >= 0.999 * least_ms(tables["volume_interval"]), (f.code, f.effect)
        assert not f.aliases or f.aliases.verdict != "add" or f.effect.identifiable or f.effect.low >= 0.3, f.effect


@pytest.mark.parametrize("wait", [0.0, 2.4, 9.0])
def test_the_queue_that_a_fault_makes_goes_with_it(wait: float) -> None:
    """Four volumes disconnect for longer since noon, at the same rate; before, nothing queued."""
    late = {"wait": wait, "disc": 4.5}
    rows = [volume(n, f"VOL{v:03}", **(late if n >= 12 else {"disc": 0.3})) for n in range(30) for v in range(4)]
    with database(volume_interval=rows) as con:
        effect = next(f.effect for f in run(con) if f.code == "disc_unexplained")
    assert effect and (effect.now, effect.low, effect.high) == pytest.approx((5.0 + wait, 0.8, 0.8))
