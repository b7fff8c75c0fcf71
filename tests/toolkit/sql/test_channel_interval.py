"""channel_interval from type 73: every measurement group, validity flags, extended section."""

import pytest
from sql_lake import Lake, Row, one

PTI = 878906.25  # 900 s in units of 1024 us
ALL_WORDS = 0xF8
ONLINE, SHARED = 0x01, 0x01
FICON: Row = {
    "SMF73MBC": 1000.0, "SMF73MCU": 2000.0, "SMF73US": 64.0, "SMF73TBC": 90000.0, "SMF73TUC": 540000.0,
    "SMF73PUC": 180000.0, "SMF73TRU": 9e6, "SMF73PRU": 3e6, "SMF73TWU": 4.5e6, "SMF73PWU": 1.5e6,
}  # fmt: skip
MEASURED = (
    "busy_ratio", "partition_busy_ratio", "bus_busy_ratio", "read_bytes_rate", "write_bytes_rate",
    "partition_read_bytes_rate", "partition_write_bytes_rate", "operation_rate", "open_exchanges",
)  # fmt: skip


def path(group: int, extended: Row | None = None, control: Row | None = None, **fields: object) -> Row:
    lake = Lake()
    at = {"record_id": 73}
    lake.add("smf73_control", **at, **({"SMF73SFL": 0, "SMF73CSS": 1} | (control or {})))
    flags: Row = {"SMF73FG2": ONLINE, "SMF73FG3": SHARED, "SMF73FG4": 0x02, "SMF73FG5": ALL_WORDS, "SMF73EIX": 2}
    named: Row = {"SMF73PID": "4A", "SMF73ACR": "FC_S", "SMF73CMG": group, "SMF73PTI": PTI, "SMF73PBY": PTI / 4}
    lake.add("smf73_channel_data", **at, **(flags | named | {"SMF73SPD": 16, "SMF73MSC": 9} | fields))
    for place in (1, 2):
        lake.add("smf73_extended", **at, section_index=place, **({"SMF73EOC": 0, "SMF73ETC": 0} | (extended or {})))
    return one(lake.connect(), "SELECT * FROM channel_interval")


def test_group_1() -> None:
    row = path(1, SMF73TUT=900 * 0.5 / 0.000128, SMF73PUT=900 * 0.1 / 0.000128)
    assert row["busy_ratio"] == pytest.approx(0.5, rel=1e-5)
    assert row["partition_busy_ratio"] == pytest.approx(0.1, rel=1e-5)
    assert (row["channel_path"], row["type"], row["read_bytes_rate"]) == ("4A", "FC_S", None)
    assert row["interval_s"] == pytest.approx(900, rel=1e-5)


@pytest.mark.parametrize(("group", "prefix"), [(2, "SMF73"), (4, "SMF73G4"), (5, "SMF73G5")])
def test_groups_2_4_and_5(group: int, prefix: str) -> None:
    row = path(group, **{k.replace("SMF73", prefix): v for k, v in FICON.items()})
    assert row["busy_ratio"] == pytest.approx(0.3, rel=1e-5)
    assert row["partition_busy_ratio"] == pytest.approx(0.1, rel=1e-5)
    assert row["bus_busy_ratio"] == pytest.approx(0.1, rel=1e-5)
    assert row["read_bytes_rate"] == pytest.approx(640_000, rel=1e-5)
    assert row["partition_read_bytes_rate"] == pytest.approx(640_000 / 3, rel=1e-5)
    assert row["write_bytes_rate"] == pytest.approx(320_000, rel=1e-5)
    assert row["speed_bits_rate"] == 16e9


def test_group_3() -> None:
    row = path(3, SMF73PDU=256.0, SMF73TDU=512.0, SMF73PDS=900.0, SMF73TDS=1800.0)
    assert row["write_bytes_rate"] == pytest.approx(1024, rel=1e-5)
    assert row["partition_write_bytes_rate"] == pytest.approx(256, rel=1e-5)
    assert row["read_bytes_rate"] is None
    assert row["partition_busy_ratio"] == pytest.approx(0.25, rel=1e-5)


def test_unknown_group_gives_the_own_partition_and_the_total_only_if_not_shared() -> None:
    shared, alone = path(0), path(0, SMF73FG3=0)
    assert (shared["busy_ratio"], shared["partition_busy_ratio"]) == (None, pytest.approx(0.25, rel=1e-5))
    assert alone["busy_ratio"] == pytest.approx(0.25, rel=1e-5)


@pytest.mark.parametrize(
    "fields",
    [{"SMF73FG2": 0x03}, {"SMF73FG2": 0}, {"SMF73FG4": 0x82}, {"SMF73PTI": 0}],
    ids=["VAC", "STA", "NVL", "PTI"],
)
def test_voided_path(fields: Row) -> None:
    row = path(2, {"SMF73EOC": 900, "SMF73EOS": 900}, **(FICON | fields))
    void = [c for c in MEASURED if row[c] is not None and not (fields == {"SMF73PTI": 0} and c == "open_exchanges")]
    assert void == []
    assert row["channel_path"] == "4A"


@pytest.mark.parametrize(
    ("words", "void"),
    [(ALL_WORDS - 0x80, {"bus_busy_ratio"}), (ALL_WORDS - 0x40, {"busy_ratio", "partition_busy_ratio"}),
     (ALL_WORDS - 0x08, {"read_bytes_rate", "write_bytes_rate", "partition_read_bytes_rate",
                         "partition_write_bytes_rate"})],
)  # fmt: skip
def test_words_of_the_characteristics(words: int, void: set[str]) -> None:
    row = path(2, {"SMF73EOC": 1, "SMF73EOS": 1}, **(FICON | {"SMF73FG5": words}))
    assert {c for c in MEASURED if row[c] is None} == void


def test_operations() -> None:
    counts = {"SMF73EOC": 900, "SMF73EOD": 90, "SMF73EOS": 1800, "SMF73ETC": 1800, "SMF73ETD": 0, "SMF73ETS": 5400}
    row = path(2, counts, **FICON)
    assert row["operation_rate"] == pytest.approx(3, rel=1e-5)
    assert row["zhpf_operation_rate"] == pytest.approx(2, rel=1e-5)
    assert row["deferred_rate"] == pytest.approx(0.1, rel=1e-5)
    assert row["open_exchanges"] == pytest.approx(5)


@pytest.mark.parametrize("fields", [{"SMF73FG4": 0}, {"SMF73CMG": 4}, {"SMF73EIX": 9}])
def test_no_operations_without_an_extended_section(fields: Row) -> None:
    row = path(2, {"SMF73EOC": 900, "SMF73EOS": 900}, **(FICON | fields))
    assert (row["operation_rate"], row["open_exchanges"]) == (None, None)


def test_channel_subsystem_leads_the_path() -> None:
    assert path(2, control={"SMF73SFL": 0x20}, **FICON)["channel_path"] == "1.4A"
