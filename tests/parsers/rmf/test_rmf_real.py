"""The real files, completely: every value of the XML against another parser, the listings against their own sums."""

import datetime as dt
import xml.etree.ElementTree as ElementTree
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
import rmf_support as support

XML = sorted(support.SAMPLES.glob("*.xml"))


def values_by_elementtree(path: Path) -> Counter[tuple[str, str]]:
    """(kind, value) of every cell, variable, message and option that is not blank, by the standard library's tree."""
    root = ElementTree.parse(path).getroot()
    found = [("cell", c.text) for row in root.iter("row") for c in row.iter("col")]
    found += [("variable", v.findtext("value")) for v in root.iter("var")]
    found += [("message", m.findtext("description")) for m in root.iter("message")]
    found += [("option", m.text) for m in root.iter("mfpmsg")]
    return Counter((kind, text.strip()) for kind, text in found if text and text.strip())


@pytest.mark.parametrize("path", XML, ids=lambda p: p.name)
def test_every_value_of_the_xml_is_there(path: Path) -> None:
    rows = support.read(path.read_bytes()).rows["rmf_xml_value"]
    assert Counter((r["kind"], r["value"]) for r in rows if r["value"]) == values_by_elementtree(path)


@pytest.mark.parametrize("path", XML, ids=lambda p: p.name)
def test_nothing_of_the_xml_is_lost_or_failed(path: Path) -> None:
    balance = support.read(path.read_bytes()).balance
    assert (balance.failed, balance.lost_bytes) == (0, 0)


def test_34_intervals_of_half_an_hour() -> None:
    rows = support.read((support.SAMPLES / "pp-cpu-34-intervals-zosv2r4.xml").read_bytes()).rows["rmf_xml_value"]
    starts = sorted({r["interval_start"] for r in rows if r["interval_start"]})
    assert len(starts) == 34
    assert starts[0] == dt.datetime(2020, 9, 10)
    assert {b - a for a, b in pairwise(starts)} == {dt.timedelta(minutes=30)}
    assert {r["system"] for r in rows if r["report"]} == {"RPRT"}


def test_cpu_values_bind_to_their_headers() -> None:
    rows = support.read((support.SAMPLES / "pp-cpu-zosv2r5.xml").read_bytes()).rows["rmf_xml_value"]
    (busy,) = [r for r in rows if r["column_name"] == "Time% LPAR Busy" and r["row_type"] == "SUM"]
    assert (busy["section"], busy["row_label"], busy["number"]) == ("CPU Activity", "TOTAL/AVERAGE", 0.89)
    assert busy["interval_s"] == 29 * 60 + 59.997
    physical = [r for r in rows if r["column_name"] == "Effective Dispatch Time" and r["row_label"] == "RPRT"]
    assert all(r["part"] == "Partition Data" for r in physical)


def test_monitor_3_knows_its_offset_from_utc_and_names_columns_that_come_last() -> None:
    result = support.read((support.SAMPLES / "m3-cpc-zosv2r5.xml").read_bytes())
    rows = result.rows["rmf_xml_value"]
    assert {(r["interval_start"], r["utc_offset_s"], r["interval_s"]) for r in rows} == {
        (dt.datetime(2022, 4, 21, 16, 20), -4 * 3600, 100.0)
    }
    (cell,) = [r for r in rows if r["row_label"] == "VIRPT" and r["column_name"] == "CPCPLEFU"]
    assert cell["number"] == 1.1
    assert not [r for r in rows if r["column_name"].startswith("#")]


@pytest.mark.parametrize(
    ("name", "code"), [("pp-error-GPM0739E.xml", "GPM0739E"), ("m3-error-GPM0731I.xml", "GPM0731I")]
)
def test_an_error_answer_is_an_error_with_its_line(name: str, code: str) -> None:
    data = (support.SAMPLES / name).read_bytes()
    (issue,) = support.read(data).issues
    assert (issue.code, issue.severity) == ("rmf_message", "error")
    assert code in issue.message
    assert code in data.decode().splitlines()[issue.offset - 1]


def test_superpav_listing_path_rates_add_up_to_their_control_unit() -> None:
    """The transcription's own check: paths sum to the `*` row, LCUs to their alias management group."""
    rows = support.read((support.SAMPLES / "ioq-superpav-zosv2r2.txt").read_bytes()).rows["rmf_ioq_lcu"]
    assert len(rows) == 13 + 19
    for scope, key in (("LCU", "lcu"), ("AMG", "amg")):
        for total in [r for r in rows if r["scope"] == scope and r["path"] == "*"]:
            paths = [r for r in rows if r["scope"] == scope and r[key] == total[key] and r["path"] != "*"]
            assert sum(r["taken_rate"] for r in paths) == pytest.approx(total["taken_rate"], abs=0.06)
    by_group = {r["amg"]: r["taken_rate"] for r in rows if r["scope"] == "AMG" and r["path"] == "*"}
    members = [r["taken_rate"] for r in rows if r["scope"] == "LCU" and r["path"] == "*" and r["amg"] == "00000002"]
    assert sum(members) == pytest.approx(by_group["00000002"], abs=0.1)


def test_superpav_listing_known_cells() -> None:
    rows = support.read((support.SAMPLES / "ioq-superpav-zosv2r2.txt").read_bytes()).rows["rmf_ioq_lcu"]
    (row,) = [r for r in rows if r["lcu"] == "004A" and r["path"] == "*"]
    cells = ("amg", "css_ms", "hpav_wait_ratio", "hpav_max", "open_exchanges", "transfer_concurrency")
    assert tuple(row[c] for c in cells) == ("00000003", 1.8, 1.867, 18, 15.4, 8.95)
    assert row["interval_s"] == pytest.approx(599.995)


def test_only_the_transcribers_notes_are_left_over() -> None:
    for path in support.SAMPLES.glob("[!L]*.txt"):
        lines = path.read_text().splitlines()
        for issue in support.read(path.read_bytes()).lost():
            assert lines[issue.offset - 1].startswith("#")


def test_monitor_2_component_sums_hold() -> None:
    rows = support.read((support.SAMPLES / "monitor2-3-devices-zosv2r3.txt").read_bytes()).rows
    for row in rows["rmf_m2_device"]:
        parts = row["iosq_ms"] + row["pend_ms"] + row["disc_ms"] + row["conn_ms"]
        assert parts == pytest.approx(row["resp_ms"], abs=0.015)
    assert [r["device"] for r in rows["rmf_m3_cache_device"]] == ["00900", "20900", "10900"]
    assert [(r["device"], r["pav"], r["control_unit_type"]) for r in rows["rmf_m3_device_delay"]] == [
        ("00A01", 1.0, "2107"),
        ("00909", 1.0, "2107"),
    ]
