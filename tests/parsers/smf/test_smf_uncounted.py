"""A count that is too small loses no rows without a word, in whatever triplet; sound records raise no alarm."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from smf_decoders import read
from smf_dumps import devices, marker
from smf_strategies import calm, specs

from iosq.parsers.smf.encode import encode_record
from iosq.parsers.smf.layout import RecordLayout, Triplet, layouts
from tests.parsers.smf.oracle import Decoder

BY_KIND = {r.kind: r for r in layouts().values()}


def counts(layout: RecordLayout, data: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Where a record says how many sections follow: place and width of the count, and the sections."""
    decoder = Decoder(layout, data)
    for section in layout.sections:
        reach = section.reach
        if isinstance(reach, Triplet):
            holders = decoder.pieces[reach.within] if reach.within else [None]
            fields = layout.section(reach.within).fields if reach.within else layout.header
            field = next(f for f in fields if f.name == reach.count)
            for holder in holders:
                mine = [p for p in decoder.pieces[section.name] if holder is None or p.parent == holder.index]
                at = (holder.start if holder else 0) + field.offset
                if mine:
                    yield at, field.length, b"".join(data[p.start : p.start + p.length] for p in mine[-1:])


@pytest.mark.parametrize("kind", sorted(BY_KIND))
@calm(4)
@given(data=st.data())
def test_a_count_that_is_lowered_is_reported(kind, data):
    record = encode_record(BY_KIND[kind], data.draw(specs(BY_KIND[kind])))
    assert "uncounted" not in read(record + marker(3)).codes
    found = [(at, size) for at, size, lost in counts(BY_KIND[kind], record) if any(lost)]
    if not found:
        return
    at, size = data.draw(st.sampled_from(found))
    fewer = int.from_bytes(record[at : at + size], "big") - 1
    result = read(record[:at] + fewer.to_bytes(size, "big") + record[at + size :] + marker(3))
    assert set(result.codes) & {"uncounted", "no_product", "bad_interval", "triplet_outside"}, (at, fewer)


@pytest.mark.parametrize("count", range(5))
def test_devices_that_are_not_counted(count):
    record = devices(1, 5)
    result = read(marker(2) + record[:50] + count.to_bytes(2, "big") + record[52:] + devices(2, 3) + marker(3))
    assert [(i.code, i.count, i.offset) for i in result.issues] == [("uncounted", 1, len(marker(2)))]
    assert len(result.rows["smf74_1_device_data"]) == count + 3
