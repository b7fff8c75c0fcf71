"""CP monitor files: every field where the field table puts it, every byte accounted for, damage reported."""

from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from memory_lake import answered
from mon_support import (
    BY_NAME,
    PAGE,
    ROOT,
    START,
    Read,
    all_fields,
    control,
    database,
    device,
    encode,
    file,
    header,
    minute,
    pages,
    put,
    system,
)

from iosq.parsers.monwrite.layout import Record
from iosq.parsers.monwrite.pages import to_next_run
from iosq.parsers.monwrite.reader import READER
from iosq.parsers.registry import recognise
from iosq.parsers.smf.layout import Field

TICK = 1 / 0.128  # monitor time units in a millisecond


def activity(i: int, sid: int = 1, dev: str = "A100", volser: str = "VOL001", **counters: int) -> bytes:
    return encode("D6R3", minute(i), RDEVSID=sid, RDEVDEV=dev, RDEVSER=volser, **counters)


def counters(ios: int, pend: float = 0.5, disc: float = 3.5, conn: float = 1.0, queue: float = 0.4) -> dict[str, int]:
    """Totals of `ios` I/Os with these mean times (ms) and 60 looks at the queue a minute of 6000 I/Os."""
    times = {"SCMFPTIM": pend, "SCMDDTIM": disc, "SCMCNTIM": conn}
    looks = ios // 100
    counts = {"SCGSSCH": ios, "SCGCOUNT": ios, "HFCTIO": looks, "HFRDEVCT": round(looks * queue)}
    return {k: round(ios * v * TICK) for k, v in times.items()} | counts


def rows(
    data: bytes, sql: str = "SELECT * FROM device_interval ORDER BY device, interval_start"
) -> list[dict[str, Any]]:
    return answered(database(data), sql)


def sample(field: Field) -> Any:
    texts = {"ebcdic": "AB12"[: field.length], "hex": "0F" * field.length, "tod": START, "sbinary": -3}
    return texts.get(field.format, 7)


@pytest.mark.parametrize(("record", "field"), list(all_fields()), ids=lambda x: x.name)
def test_every_field_is_read_where_the_table_puts_it(record: Record, field: Field) -> None:
    size = max(f.end for f in record.fields)
    data = bytearray(header(*record.number, size, START).ljust(size, b"\0"))
    data[field.offset : field.end] = put(field, sample(field))
    (row,) = Read(file([bytes(data)])).rows(record.table.name)
    assert row[field.name] == sample(field)


@pytest.mark.parametrize("record", BY_NAME.values(), ids=lambda r: r.name)
def test_a_field_beyond_the_record_is_null_and_a_longer_record_is_read(record: Record) -> None:
    last = max(record.fields, key=lambda f: f.end)
    short = header(*record.number, last.end - 1, START).ljust(last.end - 1, b"\1")
    longer = header(*record.number, last.end + 48, START).ljust(last.end + 48, b"\0")
    found = Read(file([short, longer])).rows(record.table.name)
    assert [r[last.name] is None for r in found] == [True, False]


def test_file_is_recognised_and_text_is_not() -> None:
    assert recognise(file([system()])) is READER
    for data in (b"", bytes(8192), b"1FCX108 " * 2000, b"\xe2" * 8192, control([(0xE2, 64, 200)]) + bytes(PAGE)):
        assert not READER.sniff(data)


def test_times_zone_and_system() -> None:
    (row,) = Read(file([system(), device(1, "A100", "VOL001")])).rows("mon_d1r6")
    assert (row["system"], row["utc_offset_s"], row["MRHDRTOD"]) == ("VMSYS1", -18000, START)
    assert row["interval_start"] == START
    (row,) = Read(file([encode("D1R4", SYSTMID="X", SYSZONE=1), device(1, "A100")])).rows("mon_d1r6")
    assert row["utc_offset_s"] is None


@given(st.lists(st.integers(20, 900), max_size=60), st.integers(0, PAGE - 1), st.integers(0, 300))
@settings(max_examples=60, deadline=None)
def test_records_of_other_kinds_are_counted_and_bytes_add_up(sizes: list[int], first: int, tail: int) -> None:
    other = [header(0, 8, n, START).ljust(n, b"\5") for n in sizes]
    data = file([system(), *other], [device(1, "A100")], first=first) + bytes([7]) * tail
    read = Read(data)
    assert read.balance.balanced
    assert read.balance.total_bytes == len(data)
    assert read.balance.kinds["d1r4"].decoded == read.balance.kinds["d1r6"].decoded == 1
    assert (read.balance.kinds["d0r8"].skipped if sizes else 0) == len(sizes)
    assert [i.code for i in read.issues] == (["mon.control"] if tail else [])
    assert read.balance.lost_bytes == tail


def test_first_page_that_is_not_whole() -> None:
    data, used = pages([system(), device(1, "A100")])
    stream = control([(0xE2, 0x09000100, 0x09000100 + used - 1)]) + data
    read = Read(stream)
    assert len(read.rows("mon_d1r6")) == 1
    assert read.balance.balanced


@pytest.mark.parametrize(
    ("kind", "volser", "class_"),
    [("3390", "", "dasd"), ("3590", "", "tape"), ("3590", "TAP001", "tape"), ("1732", "", "communication"),
     ("0000", "VOL001", "dasd"), ("0000", "", None), ("6232", "", "other")],
)  # fmt: skip
def test_a_volume_is_what_the_monitor_does_not_call_something_else(kind: str, volser: str, class_: str | None) -> None:
    data = file([system(), device(1, "A100", volser, kind=kind)], *[[activity(i, volser=volser)] for i in (1, 2)])
    (row,) = rows(data)
    assert row["device_class"] == class_
    assert len(rows(data, "SELECT * FROM volume_interval")) == (class_ in ("dasd", None))


def test_rate_and_times_of_a_device() -> None:
    data = file([system(), device(1, "A100", "VOL001")], *[[activity(i, **counters(6000 * i))] for i in (1, 2, 3)])
    found = rows(data)
    assert [r["interval_start"] for r in found] == [minute(1), minute(2)]
    for r in found:
        assert (r["device"], r["volser"], r["role"], r["interval_s"]) == ("0A100", "VOL001", "single", 60)
        assert r["io_rate"] == 100
        assert (r["pend_ms"], r["disc_ms"], r["conn_ms"]) == pytest.approx((0.5, 3.5, 1.0), abs=1e-4)
        assert r["queue_length"] == pytest.approx(0.4)
        assert (r["wait_ms"], r["response_ms"]) == pytest.approx((4.0, 9.0), abs=1e-3)
        assert (r["utc_offset_s"], r["wait_source"], r["source"]) == (-18000, "sampled", "mon.d6r3")


@given(st.integers(0, 2**32 - 1))
@example(2**32 - 12000)
@settings(max_examples=6, deadline=None)
def test_counters_that_wrap_make_no_difference(offset: int) -> None:
    def moved(ios: int) -> dict[str, int]:
        return {k: (v + offset) % 2**32 for k, v in counters(ios).items()}

    data = file([system(), activity(1, **moved(6000)), activity(2, **moved(12000))])
    (row,) = rows(data)
    assert row["io_rate"] == 100
    assert row["disc_ms"] == pytest.approx(3.5, abs=1e-3)


def test_short_counters_are_used_where_the_long_ones_stay_zero() -> None:
    one = {"SCMSSCH": 65000, "SCMCOUNT": 65000}
    two = {"SCMSSCH": 464, "SCMCOUNT": 464, "SCMCNTIM": round(1000 * TICK)}
    (row,) = rows(file([activity(1, **one), activity(2, **two)]))
    assert row["io_rate"] == pytest.approx(1000 / 60)
    assert row["conn_ms"] == pytest.approx(1.0, abs=1e-3)


@pytest.mark.parametrize("later", [counters(10), counters(6000) | {"SCMDDTIM": 5}])
def test_counters_that_start_anew_give_no_number(later: dict[str, int]) -> None:
    (row,) = rows(file([activity(1, **counters(600_000)), activity(2, **later)]))
    assert (row["io_rate"], row["disc_ms"], row["wait_ms"]) == (None, None, None)


def test_another_volume_at_the_address_gives_no_number() -> None:
    first, second = activity(1, **counters(6000)), activity(2, volser="VOL009", **counters(12000))
    (row,) = rows(file([first, second]))
    assert (row["volser"], row["io_rate"]) == ("VOL009", None)


def test_base_and_classic_alias_make_a_volume() -> None:
    configuration = [system(), device(1, "A100", "VOL001"), device(2, "A180", base="A100")]
    sampled = [
        x
        for i in (1, 2)
        for x in (
            activity(i, **counters(6000 * i)),
            activity(i, 2, "A180", "", **counters(3000 * i, disc=5.5, queue=0)),
        )
    ]
    found = rows(file(configuration, sampled))
    assert [(r["device"], r["role"], r["base_device"], r["volser"], r["exposures"]) for r in found] == [
        ("0A100", "base", "0A100", "VOL001", 2),
        ("0A180", "alias", "0A100", "VOL001", None),
    ]
    rate = sum(r["io_rate"] for r in found)
    assert rate == 150
    assert sum(r["io_rate"] * r["service_ms"] for r in found) / rate == pytest.approx(17 / 3, abs=1e-3)
    assert 1000 * sum(r["queue_length"] for r in found) / rate == pytest.approx(0.4 / 0.150)


@pytest.mark.parametrize(("until", "exposures"), [(4, [2, 2, 2]), (3, [2, 2, 1]), (0, [2, 2, 2])])
def test_an_alias_counts_while_cp_samples_it(until: int, exposures: list[int]) -> None:
    """CP samples what is online; where it samples no alias at all, those that are configured count."""
    configuration = [system(), device(1, "A100", "VOL001"), device(2, "A180", base="A100")]
    sampled = [activity(i, **counters(6000 * i)) for i in range(1, 5)]
    aliases = [activity(i, 2, "A180", "", **counters(3000 * i, queue=0)) for i in range(1, until + 1)]
    found = rows(file(configuration, sampled + aliases))
    assert [r["exposures"] for r in found if r["role"] == "base"] == exposures


def test_reads_control_unit_queue_minidisk_cache_and_throttle() -> None:
    more = {"RDEVRDCT": 4500, "RDEVWRCT": 1500, "SCMCQTIM": round(6000 * 0.25 * TICK), "RDEVMCIA": 1200, "THRDLYS": 60}
    sampled = [activity(i, **counters(6000 * i), **{k: v * i for k, v in more.items()}) for i in (1, 2)]
    con = database(file([system(), device(1, "A100", "VOL001")], sampled))
    for view in ("device_interval", "volume_interval"):
        (row,) = answered(con, f"SELECT * FROM {view}")
        assert (row["read_ratio"], row["mdc_avoided_rate"], row["throttle_delay_rate"]) == (0.75, 20, 1)
        assert row["cu_queue_ms"] == pytest.approx(0.25, abs=1e-4)


def test_without_counted_reads_and_writes_their_ratio_is_unknown() -> None:
    sampled = [activity(i, **counters(6000 * i)) for i in (1, 2)]
    (row,) = rows(file([system(), *sampled]))
    assert (row["read_ratio"], row["mdc_avoided_rate"], row["cu_queue_ms"]) == (None, 0, 0)
    short = [encode("D6R3", minute(i), length=124, RDEVSID=1, RDEVSER="VOL001", SCMSSCH=60 * i) for i in (1, 2)]
    (row,) = answered(database(file([system(), *short])), "SELECT * FROM volume_interval")
    assert (row["read_ratio"], row["throttle_delay_rate"], row["cu_queue_ms"]) == (None, None, None)


@pytest.mark.parametrize(
    "answer_ms, busy_ms, expected", [(0.0, 0.0, None), (0.25, 0.0, 0.0), (0.25, 0.5, 0.5), (0.0, 0.5, 0.5)]
)
def test_device_busy_of_0_is_known_if_the_extended_block_counts(
    answer_ms: float, busy_ms: float, expected: float | None
) -> None:
    extended = {"SCMIRTIM": round(6000 * answer_ms * TICK), "SCMDBTIM": round(6000 * busy_ms * TICK)}
    sampled = [activity(i, **counters(6000 * i), **{k: v * i for k, v in extended.items()}) for i in (1, 2)]
    (row,) = rows(file([system(), *sampled]))
    assert row["device_busy_ms"] == (expected if expected is None else pytest.approx(expected, abs=1e-4))


@pytest.mark.parametrize("name", ["RDEVRDCT", "RDEVMCIA", "THRDLYS"])
def test_a_count_that_no_device_reaches_is_unknown(name: str) -> None:
    sampled = [activity(1, **counters(6000), **{name: 50}), activity(2, **counters(12000))]
    (row,) = rows(file([system(), *sampled]))
    column = {"RDEVRDCT": "read_ratio", "RDEVMCIA": "mdc_avoided_rate", "THRDLYS": "throttle_delay_rate"}[name]
    assert (row[column], row["io_rate"]) == (None, 100)


def test_hyperpav_work_is_charged_to_the_base() -> None:
    pav = {"PAVSSCH": 3000, "PAVCOUNT": 3000, "PAVDDTIM": round(3000 * 7 * TICK)}
    base = [
        activity(i, RDEVHPPL=1, **counters(6000 * i), **{k: v * i for k, v in pav.items()})
        for i in (1, 2)
    ]  # fmt: skip
    alias = [activity(i, 9, "A1FF", "", RDEVHPPL=1, **counters(3000 * i)) for i in (1, 2)]
    (row,) = rows(file([system(), device(1, "A100", "VOL001", pool=1), device(9, "A1FF", pool=1)], base + alias))
    assert (row["device"], row["is_hyperpav"], row["role"], row["exposures"]) == ("0A100", True, "base", None)
    assert row["io_rate"] == 150
    assert row["disc_ms"] == pytest.approx((6000 * 3.5 + 3000 * 7) / 9000, abs=1e-3)


def test_the_same_file_twice_adds_nothing() -> None:
    data = file([system(), activity(1, **counters(6000)), activity(2, **counters(12000))])
    assert database(data, data).execute("SELECT count(*) FROM device_interval").fetchone() == (1,)


def test_cache_statistics() -> None:
    def cache(i: int) -> bytes:
        names = {"read_normal": 600, "read_normal_hits": 540, "write_normal": 300, "write_fast_normal_hits": 300}
        names |= {"read_seq": 60, "read_seq_hits": 60, "fw_delayed_nvs": 6, "fw_normal": 300, "cache_to_dasd": 120}
        values = {k: v * i for k, v in names.items()}
        return encode("D6R4", minute(i), RDEVSID=1, PSFLEN=192, ssid="2105", **values)

    con = database(file([system(), device(1, "A100", "VOL001"), cache(1), cache(2)]))
    (row,) = answered(con, "SELECT * FROM cache_interval")
    assert (row["subsystem"], row["device"], row["volser"]) == ("2105", "0A100", "VOL001")
    assert (row["read_rate"], row["write_rate"], row["nvs_delay_count"], row["destage_rate"]) == (11, 5, 6, 2)
    assert row["read_hit_ratio"] == pytest.approx(600 / 660)
    assert (row["write_hit_ratio"], row["nvs_delay_ratio"], row["fast_write_ratio"]) == (1, 0.02, 1)


def test_documented_query_shows_how_often_a_pool_ran_short() -> None:
    def pool(i: int, tries: int, fails: int) -> bytes:
        counts = {"HPPNALIS": 20, "HPPTRIES": tries, "HPPFAILS": fails, "HPPMINCT": 3}
        return encode("D6R28", minute(i), HPPOOLNM=1, HPPTOKEN="2105", **counts)

    text = (ROOT / "docs/explanation/monwrite.md").read_text()
    query = text.split("```sql")[1].split("```")[0]
    found = database(file([system(), pool(1, 100, 0), pool(2, 300, 50)])).execute(query).fetchall()
    assert [(r[1], r[3], r[4], r[5]) for r in found] == [("2105", 20, 3, None), ("2105", 20, 3, 0.25)]


def test_offsets_of_device_activity_are_tested_on_the_device_number() -> None:
    read = Read(file([system(), device(1, "A100"), activity(1, 1, "BEEF")]))
    assert [(i.code, i.severity, i.count) for i in read.issues] == [("mon.layout", "error", 1)]


GOOD = file(
    [system(), device(1, "A100", "VOL001")], *[[activity(i, **counters(6000 * i)) for _ in range(20)] for i in (1, 2)]
)


def test_cut_anywhere() -> None:
    whole = len(Read(GOOD).rows("mon_d6r3"))
    for end in (*range(0, len(GOOD), 211), PAGE + 12, PAGE + 70):
        read = Read(GOOD[:end])
        assert read.balance.balanced
        assert read.balance.total_bytes == end
        assert len(read.rows("mon_d6r3")) <= whole
        if end % PAGE:
            assert read.issues


@given(st.lists(st.tuples(st.integers(0, len(GOOD) - 1), st.integers(0, 255)), min_size=1, max_size=8))
@settings(max_examples=80, deadline=None)
def test_flipped_bytes_neither_crash_nor_unbalance(flips: list[tuple[int, int]]) -> None:
    damaged = bytearray(GOOD)
    for at, value in flips:
        damaged[at] = value
    read = Read(bytes(damaged))
    assert read.balance.balanced
    assert read.balance.total_bytes == len(GOOD)


def test_damage_costs_its_page_only_and_is_placed() -> None:
    many = [activity(1, sid, "A100") for sid in range(60)]
    data = bytearray(file([system()], many))
    at = data.index(activity(1, 20, "A100")[:20], 3 * PAGE)
    data[at + 2] = 9
    read = Read(bytes(data))
    assert [(i.code, i.offset) for i in read.issues] == [("mon.record", at)]
    lost = (PAGE - at % PAGE) // len(many[0])
    assert 60 - lost - 1 <= len(read.rows("mon_d6r3")) < 60


def test_a_control_record_inside_an_element_ends_it() -> None:
    data, used = pages([activity(1, **counters(6000))])
    broken = control([(0xE2, 0x09000000, 0x09000000 + 100 * PAGE)]) + data
    read = Read(broken + file([activity(2, **counters(12000))]))
    assert len(read.rows("mon_d6r3")) == 2
    assert "mon.cut" in {i.code for i in read.issues}
    assert read.balance.balanced
    assert used < PAGE


def test_lost_control_records_are_skipped_to_the_next() -> None:
    good = file([system(), activity(1)])
    read = Read(b"\x55" * (3 * PAGE) + good)
    assert len(read.rows("mon_d6r3")) == 1
    assert [(i.code, i.offset) for i in read.issues] == [("mon.control", 0)]
    assert read.balance.lost_bytes == 3 * PAGE


def test_pages_of_zeros_are_no_loss() -> None:
    data = file([system(), device(1, "A100")])
    read = Read(data + bytes(3 * PAGE) + data)
    assert len(read.rows("mon_d1r6")) == 2
    assert not read.issues and not read.balance.lost_bytes and read.balance.balanced


def framed(data: bytes, blocked: int) -> bytes:
    """Pages as records with RDWs; `blocked` of them behind a BDW, or none."""
    every = [(PAGE + 4).to_bytes(2) + b"\0\0" + data[at : at + PAGE] for at in range(0, len(data), PAGE)]
    groups = (b"".join(every[at : at + (blocked or 1)]) for at in range(0, len(every), blocked or 1))
    return b"".join(((len(g) + 4).to_bytes(2) + b"\0\0" if blocked else b"") + g for g in groups)


LONG = file(
    [system(), *(device(n, f"A1{n:02X}", f"VOL{n:03}") for n in range(99))],
    *[[activity(i, n, f"A1{n:02X}", f"VOL{n:03}", **counters(6000 * i + n)) for n in range(99)] for i in range(9)],
)


def records_of(read: Read) -> dict[int, tuple[str, bytes]]:
    return {
        row["record_offset"]: (table, repr({**row, "record_offset": 0, "system": "", "utc_offset_s": 0}))
        for table, batches in read.batches.items()
        for batch in batches
        for row in batch.to_pylist()
    }


@pytest.mark.parametrize("blocked", [0, 1, 7])
def test_descriptor_words_around_pages_change_no_row(blocked: int) -> None:
    data = framed(LONG, blocked)
    assert recognise(data[: 1 << 16]) is READER
    plain, read = Read(LONG), Read(data)
    assert not read.issues and read.balance.balanced
    assert list(records_of(read).values()) == list(records_of(plain).values())


@given(st.integers(0, len(LONG) // 2), st.sampled_from([None, 0, 1, 7]))
@example(PAGE, None)
@example(PAGE + 0x40, None)
@example(2 * PAGE, 0)
@settings(max_examples=25, deadline=None)
def test_a_file_without_its_beginning_keeps_every_record_behind_it(start: int, blocked: int | None) -> None:
    whole = LONG if blocked is None else framed(LONG, blocked)
    data = whole[start:]
    assert recognise(data[: 1 << 16]) is READER
    read = Read(data)
    expected = {at - start: row for at, row in records_of(Read(whole)).items() if at >= start}
    assert records_of(read) == expected
    assert read.balance.balanced
    assert read.balance.total_bytes == len(data)


@given(st.integers(0, len(LONG) - 1), st.integers(1, 3 * PAGE))
@settings(max_examples=25, deadline=None)
def test_bytes_that_are_missing_cost_two_pages_at_most_next_to_theirs(start: int, size: int) -> None:
    end = min(start + size, len(LONG))
    read, whole = Read(LONG[:start] + LONG[end:]), records_of(Read(LONG))
    lost = sum(start - PAGE < at < end + 2 * PAGE for at in whole)
    assert len({*records_of(read).values()} - {*whole.values()}) <= 1  # the record that the gap is in
    assert len(records_of(read)) >= len(whole) - lost
    assert read.issues
    assert read.balance.balanced


@pytest.mark.parametrize("start", [PAGE + 1, PAGE + 300, 3 * PAGE - 1])
def test_a_piece_of_pages_that_records_fill_keeps_every_record(start: int) -> None:
    data = file([device(n, f"{n:04X}", "VOL001") for n in range(400)], first=0)
    read, whole = Read(data[start:]), records_of(Read(data))
    assert READER.sniff(data[start:][: 1 << 16])
    assert records_of(read) == {at - start: row for at, row in whole.items() if at >= start}
    assert [i.code for i in read.issues if i.severity == "data_loss"] == ["mon.control"]


@given(
    st.lists(
        st.one_of(
            st.builds(lambda seed, size: Random(seed).randbytes(size), st.integers(0, 999), st.integers(1, 30 * PAGE)),
            st.builds(lambda at, size: LONG[at : at + size], st.integers(0, len(LONG)), st.integers(1, 9 * PAGE)),
            st.sampled_from([bytes(PAGE), b"\x10\x04\0\0", control([(0xE2, 0x09000000, 0x09000100)])]),
        ),
        min_size=1,
        max_size=6,
    )
)
@settings(max_examples=40, deadline=None)
def test_garbage_skipped_at_once_hides_no_record_that_page_by_page_finds(parts: list[bytes]) -> None:
    data = b"".join(parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("iosq.parsers.monwrite.pages._barren", lambda _: PAGE)
        by_page = records_of(Read(data))
    read = Read(data)
    assert records_of(read) == by_page and read.balance.balanced


def test_garbage_is_searched_little_more_than_once(monkeypatch: pytest.MonkeyPatch) -> None:
    searched = []
    monkeypatch.setattr("iosq.parsers.monwrite.walk.to_next_run", lambda w: searched.append(len(w)) or to_next_run(w))
    Read(Random(1).randbytes(400 * PAGE))
    assert sum(searched) < 2 * 400 * PAGE
