"""What is encoded from the layouts comes back, from both decoders; and they agree on bytes that mean nothing."""

from collections.abc import Iterator
from datetime import date
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smf_decoders import Dump, fast, oracle
from smf_strategies import calm, specs

from iosq.parsers.api import Balance, Batch, Context
from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import Pointer, RecordLayout, Section, layouts
from iosq.parsers.smf.reader import READER

DAY = date(2026, 3, 2)
BY_KIND = {r.kind: r for r in layouts().values()}
each_layout = pytest.mark.parametrize("kind", sorted(BY_KIND))


def expected(layout: RecordLayout, spec: RecordSpec) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Rows by table that the encoded values ask for, in the order of the decoders: parents first."""
    found = {s.name: list(spec.sections.get(s.name, ())) for s in layout.sections if not s.within}
    for section in layout.sections:
        if section.within:
            parents = found[section.within]
            found[section.name] = [
                {**child, "parent_index": at}
                for at, row in enumerate(parents, 1)
                for child in row["children"].get(section.name, ())
            ]
        yield section.name, found[section.name]


def check_section(section: Section, length: int, rows: list[dict[str, Any]], wanted: list[dict[str, Any]]) -> None:
    assert [row["section_index"] for row in rows] == list(range(1, len(wanted) + 1))
    for row, want in zip(rows, wanted, strict=True):
        assert {k: row[k] for k in want if k != "children"} == {k: v for k, v in want.items() if k != "children"}
        for f in section.fields:
            chosen = not f.only or (row[f.only.field] is not None and row[f.only.field] & f.only.mask in f.only.values)
            if f.end > length or not chosen:
                assert row[f.name] is None


@each_layout
@calm(10)
@given(data=st.data())
def test_encoded_records_come_back(decode, kind, data):
    layout = BY_KIND[kind]
    spec = data.draw(specs(layout))
    rows = decode(encode_record(layout, spec))
    assert not isinstance(rows, str), rows
    (record,) = rows[layout.table("record")]
    given_values = {**spec.header, **spec.product}
    assert {k: record[k] for k in given_values} == given_values
    for name, wanted in expected(layout, spec):
        section = layout.section(name)
        assert not (
            isinstance(section.reach, Pointer) and len(wanted) > len(rows.get(layout.table(section.within), ()))
        )
        check_section(section, spec.lengths[name], rows.get(layout.table(name), []), wanted)


@each_layout
@calm(10)
@given(data=st.data())
def test_decoders_agree_on_every_column(kind, data):
    layout = BY_KIND[kind]
    record = encode_record(layout, data.draw(specs(layout)))
    assert fast(record) == oracle(record)


@each_layout
@calm(25)
@given(data=st.data())
def test_decoders_agree_on_damage_inside_a_record(kind, data):
    layout = BY_KIND[kind]
    record = bytearray(encode_record(layout, data.draw(specs(layout))))
    # bytes 0-5 and the subtype are the framing's business
    places = st.sampled_from([*range(6, 22), *range(24, len(record))])
    for at in data.draw(st.lists(places, min_size=1, max_size=6)):
        record[at] = data.draw(st.sampled_from((0, 1, 0x7F, 0x80, 0xFF)) | st.integers(0, 255))
    assert fast(bytes(record)) == oracle(bytes(record))


@each_layout
@calm(10)
@given(data=st.data())
def test_decoders_agree_on_a_record_cut_short(kind, data):
    layout = BY_KIND[kind]
    record = encode_record(layout, data.draw(specs(layout)))
    cut = data.draw(st.integers(24, len(record)))
    short = cut.to_bytes(2, "big") + record[2:cut]
    assert fast(short) == oracle(short)


def test_sections_come_in_the_order_of_their_table():
    layout = BY_KIND["74.1"]
    devices = [{"SMF74NUM": number} for number in ("0A03", "0A01", "0A02", "0A01")]
    header, product = {"SMF74DTE": DAY}, {"SMF74DAT": DAY, "SMF74IST": 0, "SMF74INT": 900.0}
    spec = RecordSpec(header, product, {"device_control": [{}], "device_data": devices})
    stream = Dump(encode_record(layout, spec))
    batches = [item for item in READER.read(stream, Balance(), Context()) if isinstance(item, Batch)]
    (rows,) = (item.rows for item in batches if item.table == layout.table("device_data"))
    assert rows.column("SMF74NUM").to_pylist() == ["0A01", "0A01", "0A02", "0A03"]
    assert rows.column("section_index").to_pylist() == [2, 4, 3, 1]
