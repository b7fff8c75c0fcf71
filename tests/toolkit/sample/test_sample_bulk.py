"""The array encoder gives the bytes of the plain one."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from iosq.parsers.smf.encode import encode_fields
from iosq.parsers.smf.layout import layouts
from iosq.parsers.smf.values import encode_hfp
from iosq.toolkit.sample.bulk import big_endian, hexadecimal_float, sections
from tests.parsers.smf.plain_values import decode_hfp

DEVICE = layouts()[74, 1].section("device_data").fields


@given(st.lists(st.floats(0, 1e15, allow_nan=False) | st.integers(0, 1 << 40), min_size=1), st.sampled_from([4, 8]))
@settings(max_examples=60)
def test_hexadecimal_floats_are_the_encoders(values: list[float], length: int) -> None:
    values = [v if v > 1e-40 else 0 for v in values]
    coded = hexadecimal_float(np.array(values, dtype=float), length)
    assert [row.tobytes() for row in coded] == [encode_hfp(float(v), length) for v in values]


@given(st.integers(0, (1 << 24) - 1))
def test_counts_below_2_24_survive_a_short_float_within_its_digits(count: int) -> None:
    back = decode_hfp(hexadecimal_float(np.array([count]), 4)[0].tobytes())
    assert 0 <= count - back < 16


@given(st.lists(st.integers(0, (1 << 32) - 1), min_size=2, max_size=2), st.sampled_from([300, 188, 236]))
@settings(max_examples=30)
def test_sections_are_the_encoders(counts: list[int], length: int) -> None:
    columns = {"SMF74NUM": ["2000", "2001"], "SMF74SER": ["VOL001", ""], "SMF74CNF": 1, "SMF74IOS": np.array(counts)}
    columns["SMF74SSC"] = np.array(counts)
    made = sections(DEVICE, columns, (2,), length)
    for i, row in enumerate(made):
        plain = {"SMF74NUM": f"200{i}", "SMF74SER": ["VOL001", ""][i], "SMF74CNF": 1}
        plain |= {"SMF74IOS": float(counts[i]), "SMF74SSC": counts[i]}
        assert row.tobytes() == bytes(encode_fields(DEVICE, plain, length))


@pytest.mark.parametrize(("value", "length"), [(256, 1), (-1, 4), (1 << 32, 4)])
def test_numbers_that_do_not_fit_are_refused(value: int, length: int) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        big_endian(np.array([value]), length)
