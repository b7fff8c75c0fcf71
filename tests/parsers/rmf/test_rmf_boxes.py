"""Status rows of a cache report belong to one box each, whatever its pages share with the next one's."""

import pytest
import rmf_support as support

CACHE = (support.GOLDEN / "cache.txt").read_text()
OTHER = CACHE.replace("0000000YT111", "0000000YT222").replace("B00", "C00").replace("85821", "12345")


def controlled(text: str) -> str:
    lines = text.splitlines(keepends=True)
    return "".join(("1" if "C A C H E" in line else " ") + line for line in lines)


def nameless(text: str) -> str:
    """Pages without the line that has the serial number, and with one device number for both boxes."""
    lines = text.replace("C005     SSID", "B005     SSID").splitlines(keepends=True)
    return "".join(line for line in lines if not line.startswith("TYPE-MODEL"))


@pytest.mark.parametrize("form", [str, controlled, nameless], ids=["plain", "control", "no serial"])
def test_two_boxes_with_one_ssid_are_two(form: type[str]) -> None:
    result = support.read((form(CACHE) + form(OTHER)).encode())
    first, second = result.rows["rmf_cache_status"]
    assert (first["total_io_count"], second["total_io_count"]) == (85821, 12345)
    assert (first["cu_id"], second["line"]) == ("B005", first["line"] + form(CACHE).count("\n"))
    assert [r["line"] for r in result.rows["rmf_cache_overview"]] == sorted(
        {r["line"] for r in result.rows["rmf_cache_overview"]}
    )
    assert len(result.rows["rmf_cache_overview"]) == 8 and not result.lost()
    if form is not nameless:
        assert (first["serial"], second["serial"]) == ("0000000YT111", "0000000YT222")


def test_two_systems_with_one_ssid_are_two() -> None:
    rows = support.read((CACHE + CACHE.replace("SYS1", "SYS2")).encode()).rows["rmf_cache_status"]
    assert [r["system"] for r in rows] == ["SYS1", "SYS2"]


def test_a_copy_of_a_subsystem_reads_the_same_with_and_without_control() -> None:
    plain, control = (support.read(form(CACHE * 2).encode()) for form in (str, controlled))
    assert plain.rows == control.rows and len(plain.rows["rmf_cache_status"]) == 2
