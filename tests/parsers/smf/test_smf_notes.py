"""What a dump says about itself in addition to its rows: duplicates, notes, split sets, UTC."""

from datetime import date, datetime

import numpy as np
import pytest
from smf_decoders import bare, read
from smf_dumps import DAY, devices, marker

from iosq.parsers.api import Context
from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import layouts

DEVICES = "smf74_1_device_data"


def record(
    rows: list[dict[str, object]], product: dict[str, object] | None = None, lengths: dict[str, int] | None = None
) -> bytes:
    spec = RecordSpec(
        header={"SMF74SID": "SYSA", "SMF74DTE": DAY, "SMF74TME": 1},
        product={"SMF74DAT": DAY, "SMF74IST": 3600, "SMF74INT": 900.0, "SMF74LGO": 7_200_000_000} | (product or {}),
        sections={"device_data": rows},
        lengths=lengths or {},
    )
    return encode_record(layouts()[74, 1], spec)


def test_the_same_bytes_twice_are_one_record():
    result = read(b"".join([marker(2), devices(1, 2), devices(1, 2), devices(2, 1)]))
    assert [(i.code, i.count, i.offset) for i in result.issues] == [("duplicate_record", 1, 18 + len(devices(1, 2)))]
    counts = result.balance.kinds["74.1"]
    assert (counts.read, counts.decoded, counts.skipped) == (3, 2, 1)
    assert [r["SMF74SSC"] for r in result.rows[DEVICES]] == [1000, 1001, 2000]


def test_what_the_lake_holds_is_not_given_again():
    first = Context()
    read(devices(1, 2) + devices(2, 1), context=first)
    (held,) = first.digests
    second = Context(seen=lambda digests: np.isin(digests, held))
    result = read(devices(3, 1) + devices(2, 1) + devices(1, 2), context=second)
    assert [(i.code, i.count) for i in result.issues] == [("duplicate_record", 2)]
    assert [r["SMF74SSC"] for r in result.rows[DEVICES]] == [3000]
    assert len(second.digests[0]) == 1


def test_one_record_has_one_id_in_all_its_tables():
    result = read(devices(1, 2) + devices(2, 2))
    ids = [row["record_id"] for row in result.rows["smf74_1_record"]]
    assert len(set(ids)) == 2
    assert [row["record_id"] for row in result.rows[DEVICES]] == [ids[0], ids[0], ids[1], ids[1]]


def test_overflown_counters_are_reported_once_with_their_number():
    # 4 s are 31250 of 128 us: exactly that many are still believed
    rows = [{"SMF74COF": 1}, {"SMF74PEN": 62_500, "SMF74MEC": 2}, {"SMF74PEN": 62_501, "SMF74MEC": 2}, {"SMF74COF": 7}]
    result = read(marker(2) + record([*rows, {"SMF74PEN": 1 << 30}]))
    assert {i.code: (i.count, i.offset) for i in result.issues} == {
        "connect_overflow": (2, 18),
        "pend_overflow": (1, 18),
    }


@pytest.mark.parametrize(
    ("product", "length", "start", "offset"),
    [
        ({}, 104, datetime(2026, 3, 3, 23), 7200),
        ({"SMF74LGO": -18_000_000_000}, 104, datetime(2026, 3, 4, 6), -18_000),
        ({"SMF74LGO": 20_700_000_000}, 104, datetime(2026, 3, 3, 19, 15), 20_700),
        ({"SMF74LGO": 0}, 104, datetime(2026, 3, 4, 1), 0),
        # the night of a change of year
        ({"SMF74DAT": date(2025, 1, 1), "SMF74IST": 0}, 104, datetime(2024, 12, 31, 22), 7200),
        # an older, shorter product section, and an offset no zone has
        ({}, 60, datetime(2026, 3, 4, 1), None),
        ({"SMF74LGO": 86_400_000_000}, 104, datetime(2026, 3, 4, 1), None),
    ],
)
def test_local_time_becomes_utc(decode, product, length, start, offset):
    data = record([{}], product, {"product": length})
    (row,) = decode(data)[DEVICES]
    assert (row["interval_start"], row["utc_offset_s"]) == (start, offset)
    assert read(data).codes == ([] if offset is not None else ["no_utc_offset"])


# the night of 25 October 2026 in a zone of 1 hour: clocks go back from 3:00 to 2:00 at 1:00 GMT, forward on 29 March
AUTUMN, SPRING = date(2026, 10, 25), date(2026, 3, 29)


@pytest.mark.parametrize(
    ("product", "end", "start", "offset", "codes"),
    [
        # 2:30 to 2:45 before and after: two intervals, an hour apart
        ({"SMF74IST": 9000, "SMF74LGO": 7_200_000_000}, (0, 45), (0, 30), 7200, []),
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (1, 45), (1, 30), 3600, []),
        # 2:45 to 3:00, written when clocks show 2:00: with the new zone it would be the interval an hour later
        ({"SMF74IST": 9900, "SMF74LGO": 3_600_000_000}, (1, 0), (0, 45), 7200, ["zone_changed"]),
        ({"SMF74IST": 9900, "SMF74LGO": 3_600_000_000}, (2, 0), (1, 45), 3600, []),
        # 1:45 to 2:00, written when clocks show 3:00
        ({"SMF74DAT": SPRING, "SMF74IST": 6300, "SMF74LGO": 7_200_000_000}, (1, 0), (0, 45), 3600, ["zone_changed"]),
        # cut short after 15 minutes of 30, of 60; some seconds of difference
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (2, 0), (1, 30), 3600, []),
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (2, 15), (1, 30), 3600, []),
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (1, 44), (1, 30), 3600, []),
        # nothing that a zone does
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (1, 34), (1, 30), 3600, ["end_differs"]),
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000}, (9, 45), (1, 30), 3600, ["end_differs"]),
        # no end is given
        ({"SMF74IST": 9000, "SMF74LGO": 3_600_000_000, "SMF74GIE": None}, (9, 45), (1, 30), 3600, []),
    ],
)
def test_the_end_in_gmt_separates_the_hours_of_a_night(decode, product, end, start, offset, codes):
    fields = {"SMF74DAT": AUTUMN, "SMF74INT": 900.0} | product
    day = datetime.combine(fields["SMF74DAT"], datetime.min.time())
    data = record([{}], {"SMF74GIE": day.replace(hour=end[0], minute=end[1])} | fields)
    (row,) = decode(data)[DEVICES]
    assert row["interval_start"] == day.replace(hour=start[0], minute=start[1])
    assert row["utc_offset_s"] == offset
    assert read(data).codes == codes


def test_an_interval_of_no_length_is_reported():
    (row,) = read(record([{}], {"SMF74INT": 0.0})).rows[DEVICES]
    assert row["interval_s"] == 0
    assert "no_length" in read(record([{}], {"SMF74INT": 0.0})).codes
    assert "no_length" not in read(record([{}], {"SMF74INT": 900.0})).codes


def test_more_than_a_device_can_do_is_reported():
    # 900 s: 90 million starts and 260 * 900 s are still believed
    good = [{"SMF74SSC": 90_000_000}, {"SMF74CNN": 1_828_125_000, "SMF74MEC": 30_000}]
    bad = [{"SMF74SSC": 90_000_001}, {"SMF74CNN": 1_828_125_001, "SMF74MEC": 30_000}, {"SMF74DIS": 1_828_125_001}]
    result = read(marker(2) + record(good) + record(bad))
    assert [(i.code, i.severity, i.count, i.offset) for i in result.issues if i.code == "impossible_load"] == [
        ("impossible_load", "error", 3, 18 + len(record(good)))
    ]


@pytest.mark.parametrize(
    ("named", "first", "given"),
    [
        (("0012", "0013"), (1, 2), 0),
        (("0013", "0012"), (2, 1), 0),
        # the first points at the second's section and the other way round
        (("0013", "0012"), (1, 2), 2),
        (("0012", "0012"), (1, 2), 1),
        # no index, and one that points nowhere
        (("0013", "0012"), (0, 0), 0),
        (("0013", "0012"), (3, 9), 0),
    ],
)
def test_an_index_that_contradicts_the_lcu_a_pool_names_is_reported(named, first, given):
    queues = [{"R783ID2": n, "R783HIX": x, "R783HCNT": 1} for n, x in zip(("0012", "0013"), first, strict=True)]
    spec = RecordSpec(
        header={"SMF78SID": "SYSA", "SMF78DTE": DAY, "SMF78TME": 1},
        product={"SMF78DAT": DAY, "SMF78IST": 3600, "SMF78INT": 900.0, "SMF78LGO": 0},
        sections={"data": queues, "hyperpav": [{"R783HLCU": n} for n in named]},
    )
    result = read(marker(2) + encode_record(layouts()[78, 3], spec))
    assert [(i.code, i.count, i.offset) for i in result.issues] == [("lcu_contradicted", given, 18)] * bool(given)


def test_pieces_of_a_split_record_make_one():
    pieces = [devices(6, 2, piece=(n, 3)) for n in (1, 2, 3)]
    result = read(b"".join([marker(2), *pieces, devices(7, 1), marker(3)]))
    assert not result.issues
    rows = [r for r in result.rows[DEVICES] if r["SMF74NUM"].startswith("06")]
    assert [r["section_index"] for r in rows] == [1, 2, 3, 4, 5, 6]
    assert len({r["record_id"] for r in rows}) == 1
    records = [r for r in result.rows["smf74_1_record"] if r["SMF74RBR"] == 3]
    assert [r["SMF74RSQ"] for r in records] == [1, 2, 3]
    assert {r["record_id"] for r in records} == {rows[0]["record_id"]}


def test_split_sets_of_one_interval_stay_apart():
    # two device classes of one interval, each in two pieces: the second set begins when piece 1 comes again
    first, second = ([devices(6, n, piece=(p, 2)) for p in (1, 2)] for n in (2, 3))
    result = read(b"".join(first + second))
    assert not result.issues
    assert [r["section_index"] for r in result.rows[DEVICES]] == [1, 2, 3, 4, 1, 2, 3, 4, 5, 6]
    assert len({r["record_id"] for r in result.rows[DEVICES]}) == 2


def test_an_incomplete_split_set_is_reported():
    result = read(devices(6, 2, piece=(1, 3)) + devices(6, 2, piece=(3, 3)))
    (only,) = result.issues
    assert (only.code, only.severity) == ("split_incomplete", "data_loss")
    assert "2 of 3 pieces" in only.message
    assert [r["section_index"] for r in result.rows[DEVICES]] == [1, 2, 5, 6]


def test_each_piece_decodes_the_same(decode):
    rows = decode(devices(6, 2, piece=(2, 3)))
    assert [r["section_index"] for r in rows[DEVICES]] == [3, 4]
    assert [r["section_index"] for r in rows["smf74_1_record"]] == [1]


def test_sections_shorter_and_longer_than_documented():
    rows = [{"SMF74NUM": "0100", "SMF74SSC": 5, "SMF74IOS": 16.0}]
    known = bare(read(record(rows)).rows)[DEVICES][0]
    longer = bare(read(record(rows, lengths={"device_data": 340})).rows)[DEVICES][0]
    shorter = bare(read(record(rows, lengths={"device_data": 296})).rows)[DEVICES][0]
    assert longer == known
    assert shorter == {**known, "SMF74IOS": None}


@pytest.mark.parametrize("count", [-5.0, 1e20, 1e-9], ids=["negative", "huge", "a part of a billion"])
@pytest.mark.parametrize("alone", [True, False])
def test_a_counter_that_no_machine_counts_is_left_out_and_reported(count: float, alone: bool) -> None:
    good = record([{"SMF74SSC": 1, "SMF74IOS": 7.0}])
    rows = [{"SMF74SSC": 2, "SMF74IOS": count}, *([] if alone else [{"SMF74SSC": 3, "SMF74IOS": 8.0}])]
    result = read(good + record(rows))
    assert [(i.code, i.severity, i.offset, i.count) for i in result.issues] == [
        ("impossible_value", "error", len(good), 1)
    ]
    assert [(r["SMF74SSC"], r["SMF74IOS"]) for r in result.rows[DEVICES]] == [(1, 7), (2, None), (3, 8)][
        : 2 + (not alone)
    ]
    assert result.balance.kinds["74.1"].decoded == 2


def test_a_section_too_short_for_a_counter_is_no_damage() -> None:
    assert read(record([{"SMF74SSC": 1}], lengths={"device_data": 188})).codes == []
