"""Points as spreadsheets write them: one reading or one line of refusal, never a number that is not in the file."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from iosq.toolkit.errors import IosqError
from iosq.toolkit.predict import fit, runs

HEADER = ",".join(runs.COLUMNS)
WANTED = {"volumes": 8, "requesters": 5, "aliases": 4, "read_ratio": 0.66, "footprint_gb": 2.4, "io_rate": 6060}


def written(folder: Path, text: str | bytes) -> Path:
    path = folder / "points.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@given(st.permutations(runs.COLUMNS), st.booleans(), st.sampled_from(["\n", "\r\n"]), st.data())
def test_a_table_says_the_same_however_a_spreadsheet_writes_it(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], marked: bool, end: str, data: st.DataObject
) -> None:
    def spelt(name: str) -> str:
        kind = data.draw(st.sampled_from([str.lower, str.upper, str.title]))
        return data.draw(st.sampled_from(["{}", " {}", "{} ", '"{}"'])).format(kind(name))

    rows = [[spelt(name) for name in order], [spelt(f"{WANTED[name]}") for name in order]]
    lines = [",".join(row) + data.draw(st.sampled_from(["", ",", ",,"])) for row in rows]
    if data.draw(st.booleans()):
        lines.insert(1, "," * len(order))
    text = end.join(lines).encode("utf-8-sig" if marked else "utf-8")
    found = runs.read([written(tmp_path_factory.getbasetemp(), text)])
    assert not found.assumed and not found.unread
    assert found.points.rate.tolist() == [6060] and found.points.load.in_box.tolist() == [40]
    assert found.places[0].endswith(f"line {len(lines)}")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (f"{HEADER}\n8,5,4,0.66,2.4,6,060\n", "line 2: 7 cells, and 6 in the header"),
        (f"{HEADER}\n\n8,5,4,0.66,2.4\n", "line 3: 5 cells, and 6 in the header"),
        (f'{HEADER}\n8,5,4,0.66,2.4,"6,060"\n', "line 2, io_rate: '6,060' is no number"),
        (f"{HEADER},IO_Rate\n8,5,4,0.66,2.4,6060,700\n", "line 1: the column io_rate is there twice"),
        ("volume,io_rate\n8,6060\n", "line 1: the column volume is not known; is it volumes?"),
        ("volumes;io_rate\n8;6060\n", "line 1: no column io_rate"),
        ('io_rate\n"60', "line 2: no line of a CSV file"),
        ("io_rate\n1e300\n", "line 2, io_rate: must be at most 100,000,000, not 1e+300"),
        ("volumes,io_rate\n1e9,5\n", "line 2, volumes: must be at most 65,536"),
        ("requesters,io_rate\n1e12,5\n", "line 2, requesters: must be at most"),
        ("aliases,io_rate\n5000,5\n", "line 2, aliases: must be at most 4,096"),
        ("footprint_gb,io_rate\n1e11,5\n", "line 2, footprint_gb: must be at most"),
        ("io_rate\nnan\n", "line 2, io_rate: must be above zero"),
        ("", "line 1: no column io_rate"),
    ],
)
def test_what_is_not_clear_is_refused_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(IosqError, match=re.escape(words)) as caught:
        runs.read([written(tmp_path, text)])
    assert "points.csv" in str(caught.value) and "\n" not in str(caught.value)


def test_columns_of_the_users_own_are_left_out_and_named(tmp_path: Path) -> None:
    path = written(tmp_path, f"{HEADER},remark,open_percent\n8,5,4,0.66,2.4,6060,Tuesday,12\n")
    message = fit.points_answer("mybox", [path])[0].conclusions
    assert "not read: the columns remark, open_percent" in message
