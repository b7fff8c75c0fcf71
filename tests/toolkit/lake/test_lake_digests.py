"""The set of record digests agrees with Python's own sets, in few sorted runs."""

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.smf.digests import Digests, Seen
from iosq.toolkit.lake import digests

DIGESTS = st.sampled_from([0, 1, 2, 3, 2**63, 2**64 - 1]) | st.integers(0, 2**64 - 1)
LISTS = st.lists(st.lists(DIGESTS, max_size=8), max_size=8)


def array(values: list[int]) -> np.ndarray:
    return np.array(values, np.uint64)


@settings(max_examples=50, deadline=None)
@given(LISTS, st.lists(DIGESTS))
def test_it_holds_what_was_added(added: list[list[int]], asked: list[int]) -> None:
    held = Digests()
    for values in added:
        held.add(array(values))
    known = {v for values in added for v in values}
    assert held.holds(array(asked)).tolist() == [v in known for v in asked]
    assert len(held) == sum(map(len, added))


@settings(max_examples=20, deadline=None)
@given(LISTS)
def test_saved_and_loaded_it_is_the_same_sorted(added: list[list[int]]) -> None:
    held = Digests()
    for values in added:
        held.add(array(values))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, digests.place("f" * 16))
        path.parent.mkdir()
        held.save(path)
        assert digests.load(Path(folder), "f" * 16, len(held)).tolist() == sorted(v for values in added for v in values)
    assert len(held) == sum(map(len, added))


def test_runs_stay_few() -> None:
    held = Digests()
    for n in range(1000):
        held.add(np.arange(n * 10, n * 10 + 10, dtype=np.uint64))
    assert len(held._runs) <= 14


def test_seen_knows_the_lakes_records_and_the_files_own() -> None:
    stored = Digests()
    stored.add(array([1]))
    seen = Seen(stored.holds)
    seen.fresh.append(array([2]))
    assert seen(array([1, 2, 3])).tolist() == [True, True, False]
    assert seen.fresh == []
