"""Known answers for every field format, and numpy columns held against one value at a time."""

from datetime import date, datetime
from math import ldexp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from smf_strategies import calm, legal

from iosq.parsers.smf.columns import absent, column
from iosq.parsers.smf.layout import Field, layouts
from iosq.parsers.smf.values import encode
from tests.parsers.smf.plain_values import decode


def field(format_: str, length: int, unit: str = "") -> Field:
    return Field("F", 0, length, format_, unit)


FLOAT4, FLOAT8 = field("float", 4), field("float", 8)
TOD, LGO = field("tod", 8, "TOD"), field("tod", 8, "signed TOD units")
KNOWN = [
    # hexadecimal float: sign, exponent - 64 to base 16, fraction
    (FLOAT4, "41A00000", 10.0),
    (FLOAT4, "C1A00000", None),  # counters are not negative
    (FLOAT4, "80000000", 0.0),
    (FLOAT4, "41100000", 1.0),
    (FLOAT4, "40800000", 0.5),
    (FLOAT4, "42640000", 100.0),
    (FLOAT4, "00000000", 0.0),
    (FLOAT4, "4FFFFFFF", ldexp(0xFFFFFF, 60 - 24)),
    (FLOAT4, "50100000", None),  # 16**15: no machine counts so far
    (FLOAT4, "7FFFFFFF", None),
    (FLOAT4, "3C100000", ldexp(1, -20)),
    (FLOAT4, "3BFFFFFF", None),  # nor parts of a million
    (FLOAT4, "00000001", None),
    (FLOAT4, "7F000000", 0.0),
    (FLOAT4, "41010000", 0.0625),  # not normalised
    (FLOAT8, "41A0000000000000", 10.0),
    (FLOAT8, "44F4240000000000", 62500.0),
    (FLOAT8, "4276A00000000000", 118.625),
    (FLOAT8, "C276A00000000000", None),
    (field("packed", 4, "0cyydddF"), "0126063F", date(2026, 3, 4)),
    (field("packed", 4, "0cyydddF"), "0099365F", date(1999, 12, 31)),
    (field("packed", 4, "0cyydddF"), "0124366C", date(2024, 12, 31)),
    (field("packed", 4, "0cyydddF"), "0123366F", None),  # 2023 has no day 366
    (field("packed", 4, "0cyydddF"), "0126000F", None),
    (field("packed", 4, "0cyydddF"), "01260A3F", None),
    (field("packed", 4, "0cyydddF"), "0126063D", None),
    (field("packed", 4, "0hhmmssF"), "0235959F", 86399),
    (field("packed", 4, "0hhmmssF"), "0240000F", None),
    (field("packed", 4, "mmsstttF"), "1459999F", 899.999),
    (field("packed", 4, "mmsstttF"), "1460000F", None),
    (field("packed", 4, "000ttttF ms"), "0001000F", 1000.0),
    (field("packed", 2, "nnnF"), "791F", 791),
    (field("ebcdic", 8), "D7C1E8D9D6D3D340", "PAYROLL"),
    (field("ebcdic", 4), "00000000", ""),
    (field("ebcdic", 4), "C1000540", "A ?"),  # NUL is a blank, a tabulator is not shown
    (field("ebcdic", 4), "5B7B7CE0", "$#@\\"),
    (field("hex", 2), "0220", "0220"),
    (field("binary", 3), "010000", 65536),
    (field("binary", 8), "7FFFFFFFFFFFFFFF", 2**63 - 1),
    (field("binary", 8), "8000000000000000", None),
    (field("sbinary", 4), "FFFFFFFF", -1),
    (field("bitflags", 2), "8001", 0x8001),
    # 00:00 of 1 January 1970 UTC, the number every z/OS programmer has seen
    (TOD, "7D91048BCA000000", datetime(1970, 1, 1)),
    (TOD, "0000000000001000", datetime(1900, 1, 1, 0, 0, 0, 1)),
    (TOD, "0000000000000000", None),
    (LGO, "00000D693A400000", 3_600_000_000),
    (LGO, "FFFFF296C5C00000", -3_600_000_000),
]


@pytest.mark.parametrize(("f", "text", "value"), KNOWN, ids=lambda v: v if isinstance(v, str) else "")
def test_known_answers(f, text, value):
    data = bytes.fromhex(text)
    assert decode(f, data) == value
    (fast,) = column(f, np.frombuffer(data, np.uint8).reshape(1, -1), None).to_pylist()
    assert fast == value
    assert type(fast) is type(value)


ALL = {
    (f.format, f.length, f.unit if f.format in ("packed", "tod") else ""): f
    for layout in layouts().values()
    for fields in (layout.header, layout.product, *(s.fields for s in (*layout.sections, *layout.unlocated)))
    for f in fields
}
each_format = pytest.mark.parametrize("key", sorted(ALL), ids=lambda k: "-".join(map(str, k)).replace(" ", "_"))


@each_format
@calm(8)
@given(data=st.data())
def test_columns_say_what_single_values_say(key, data):
    f = ALL[key]
    bytes_ = st.binary(min_size=f.length, max_size=f.length) | legal(f).map(lambda v: encode(f, v))
    rows = data.draw(st.lists(bytes_, max_size=12) | st.builds(lambda row, n: [row] * n, bytes_, st.integers(2, 50)))
    hidden = np.array(data.draw(st.lists(st.booleans(), min_size=len(rows), max_size=len(rows))), bool)
    # fields are cut out of wider rows: the bytes don't lie together
    wide = np.zeros((len(rows), f.length + 3), np.uint8)
    for at, row in enumerate(rows):
        wide[at, 1 : 1 + f.length] = np.frombuffer(row, np.uint8)
    raw = wide[:, 1 : 1 + f.length]
    single = [decode(f, row) for row in rows]
    assert column(f, raw, None).to_pylist() == single
    masked = [None if gone else value for gone, value in zip(hidden, single, strict=True)]
    assert column(f, raw, absent(hidden)).to_pylist() == masked


@each_format
@calm(8)
@given(data=st.data())
def test_encode_and_decode_are_inverse(key, data):
    f = ALL[key]
    value = data.draw(legal(f))
    assert decode(f, encode(f, value)) == value


@pytest.mark.parametrize(
    ("f", "value"),
    [
        (field("binary", 1), 256),
        (field("binary", 2), -1),
        (field("sbinary", 1), 128),
        (field("ebcdic", 2), "ABC"),
        (field("ebcdic", 2), "€"),
        (field("packed", 2, "nnnF"), 1000),
        (field("hex", 2), "022"),
    ],
)
def test_what_does_not_fit_is_refused(f, value):
    with pytest.raises(ValueError):
        encode(f, value)
