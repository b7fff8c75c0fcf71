"""A dump cut anywhere: the slices together give the rows, issues and balance of one reader."""

import random
from collections import Counter
from dataclasses import dataclass, field
from io import BytesIO

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from smf_decoders import Dump, block, spanned
from smf_dumps import data_sets, devices, marker, other
from smf_strategies import calm

from iosq.parsers.api import Balance, Batch, Context, Issue, TypeCount
from iosq.parsers.smf.codes import issue
from iosq.parsers.smf.cuts import Part, Slice, read_slice, survey
from iosq.parsers.smf.digests import Digests, Seen
from iosq.parsers.smf.reader import READER, Notes

FILLER = 9_000


def records() -> list[bytes]:
    """Device records, broken ones with pieces far apart, duplicates, bad ones twice, spanned ones."""
    made = [marker(2)]
    bad = bytearray(devices(90, 2))
    bad[int.from_bytes(bad[28:32], "big") + 10] = 0xFF  # product section: no date
    for i in range(24):
        made += [devices(i, i % 4), data_sets(i % 3 + 1), *(other(10 * i + n, FILLER + 97 * n) for n in range(4))]
        made += {3: [bytes(bad)], 20: [bytes(bad)], 21: made[1:2], 22: made[7:9]}.get(i, [])
        if i in (1, 9, 17):
            made.append(devices(60, 2, piece=(1 + i // 8, 3)))
        if i in (5, 15):
            made.append(devices(70, 1, piece=(1 + i // 10, 3)))  # the third never comes
        made.append(b"".join(spanned(devices(30 + i, 5), 40)) if i % 3 else other(900 + i, 20))
    return [*made, marker(3)]


RDW = b"".join(records())
BDW = b"".join(block([r]) for r in records())
FORMS = {"rdw": RDW, "bdw": BDW}


@dataclass
class Result:
    rows: Counter[tuple[str, str]] = field(default_factory=Counter)
    issues: Counter[Issue] = field(default_factory=Counter)
    kinds: dict[str, TypeCount] = field(default_factory=dict)
    bytes: tuple[int, int, int] = (0, 0, 0)

    def take(self, items) -> None:
        for item in items:
            if isinstance(item, Batch):
                self.rows.update((item.table, repr(row)) for row in item.rows.to_pylist())
            else:
                self.issues[item] += 1

    def close(self, balance: Balance) -> None:
        assert balance.balanced
        for name, kind in balance.kinds.items():
            mine = self.kinds.setdefault(name, TypeCount())
            for key in ("read", "decoded", "skipped", "failed", "bytes"):
                setattr(mine, key, getattr(mine, key) + getattr(kind, key))
        own = balance.frame_bytes, balance.lost_bytes, balance.total_bytes
        self.bytes = tuple(a + b for a, b in zip(self.bytes, own, strict=True))


def context(before: Digests | None = None) -> Context:
    """A context that finds duplicates in one input, and in the slices before it."""
    seen = Seen()
    seen.own.add(np.empty(0, np.uint64) if before is None else before)
    return Context(seen, seen.fresh)


def whole(data: bytes) -> Result:
    result, balance = Result(), Balance()
    result.take(READER.read(Dump(data), balance, context()))
    result.close(balance)
    return result


def cut(data: bytes, wanted: list[int], chunk: int = 1 << 20) -> tuple[Result, list[Slice]]:
    """The slices read one by one, the last first: none may need what another found."""
    slices = list(survey(Dump(data), wanted, chunk=chunk))
    result, noted = Result(), {}
    for part in reversed(slices):
        balance, noted[part.begin] = Balance(), Notes()
        stream = Part(BytesIO(data), part, "dump")
        result.take(read_slice(stream, part, balance, context(part.seen), noted[part.begin], chunk))
        result.close(balance)
    notes = Notes()
    for part in slices:
        notes.absorb(noted[part.begin])
    result.take(notes.issues())
    return result, slices


EXPECTED = {form: whole(data) for form, data in FORMS.items()}


def even(data: bytes, count: int) -> list[int]:
    return [len(data) * n // count for n in range(1, count)]


def test_the_dump_has_what_makes_cutting_hard() -> None:
    codes = Counter({i.code: n for i, n in EXPECTED["rdw"].issues.items()})
    assert {"duplicate_record", "bad_interval", "split_incomplete"} <= codes.keys()
    assert EXPECTED["rdw"].kinds["74.1"].failed == 1
    assert EXPECTED["rdw"].kinds["74.1"].skipped >= 2
    assert len(RDW) > 10 * 65_536


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [1, 2, 7])
def test_tasks_give_what_one_reader_gives(form: str, count: int) -> None:
    result, slices = cut(FORMS[form], even(FORMS[form], count))
    assert result == EXPECTED[form]
    assert len(slices) == count
    assert [s.begin for s in slices[1:]] == [s.end for s in slices[:-1]]
    assert (slices[0].begin, slices[-1].end) == (0, len(FORMS[form]))


@pytest.mark.parametrize("form", FORMS)
@calm(5)
@given(wanted=st.lists(st.integers(0, len(BDW) + 10), max_size=6).map(sorted), chunk=st.sampled_from([1, 1 << 18]))
def test_wherever_it_is_cut(form: str, wanted: list[int], chunk: int) -> None:
    assert cut(FORMS[form], wanted, chunk)[0] == EXPECTED[form]


@calm(5)
@example(form="rdw", wounds=[(76295, 2), (942042, 103)], count=2)  # the later one in the same chunk is read first
@given(
    form=st.sampled_from(list(FORMS)),
    wounds=st.lists(st.tuples(st.integers(0, len(RDW) - 400), st.integers(1, 300)), min_size=1, max_size=4),
    count=st.integers(2, 5),
)
def test_damage_belongs_to_one_slice(form: str, wounds: list[tuple[int, int]], count: int) -> None:
    data = bytearray(FORMS[form])
    for at, size in wounds:
        data[at : at + size] = random.Random(at).randbytes(size)
    assert cut(bytes(data), even(bytes(data), count))[0] == whole(bytes(data))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", [-1, -3000, -30_000])
def test_a_dump_that_breaks_off(form: str, end: int) -> None:
    data = FORMS[form][:end]
    result = cut(data, even(data, 3))[0]
    assert result == whole(data)
    assert any(i.code == "truncated" for i in result.issues)


def test_a_small_dump_stays_in_one_piece() -> None:
    data = marker(2) + devices(1, 3) + marker(3)
    result, slices = cut(data, [10, 20, 60])
    assert len(slices) == 1
    assert result == whole(data)


def test_what_the_lake_holds_is_not_joined() -> None:
    """A first piece that is stored already gives no record id to the second one."""
    first, second = devices(60, 2, piece=(1, 2)), devices(60, 2, piece=(2, 2))
    filler = b"".join(other(n, FILLER) for n in range(10))
    data = filler + first + filler + second + filler
    digests = []
    list(survey(Dump(first), [], stored=lambda d: digests.append(d) or (d != d)))
    slices = list(survey(Dump(data), [len(data) // 2], stored=lambda d: d == digests[0][0]))
    assert len(slices) == 2
    assert not slices[1].splits.sets


def test_record_numbers_do_not_depend_on_chunks() -> None:
    """A spanned record that can't be decoded, between whole ones."""
    bad = bytearray(devices(90, 2))
    bad[int.from_bytes(bad[28:32], "big") + 10] = 0xFF
    before = other(1, FILLER)
    data = b"".join([before, *spanned(bytes(bad), 40), other(2, FILLER), other(3, FILLER)])
    found = list(READER.read(Dump(data), Balance(), context()))
    assert found == [issue("bad_interval", len(before), 2, found=len(bad))]


@pytest.mark.parametrize("form", FORMS)
def test_a_cut_keeps_the_longest_records_length_from_damage(form: str) -> None:
    """What looks like a header in damage must not be judged by what another slice holds."""
    data = bytearray(FORMS[form])
    wound = len(data) // 3
    data[wound : wound + 200] = bytes(range(200))
    slices = list(survey(Dump(bytes(data)), [wound + 300]))
    assert len(slices) == 2
    assert wound + 200 + 65_535 < slices[1].begin < wound + 2 * 65_535
