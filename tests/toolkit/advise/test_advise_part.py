"""Advice about a part of a lake is what the whole lake says about that part."""

import json
from functools import cache
from pathlib import Path

import pytest
from advise_rows import box, database, volume

from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.part import Part, findings_of_part, part_of
from iosq.toolkit.advise.subject import Subject, lcus, volumes
from iosq.toolkit.advise.subject import box as box_named
from iosq.toolkit.advise.subject import volume as volume_named
from iosq.toolkit.sample import write
from tests.command import invoked


@pytest.mark.parametrize(
    ("subject", "words", "each"),
    [
        (volume_named("DB2003", "SYSA"), "DB2003 on SYSA", [volume_named("DB2003", "SYSA")]),
        (volumes(["B", "A", "B"], ["S"]), "A, B on S", [volume_named("A", "S"), volume_named("B", "S")]),
        (volumes(["A", "A"], ["S", "R"]), "A on R, S", [volume_named("A", "R"), volume_named("A", "S")]),
        (lcus(["0011"]), "LCU 0011", [lcus(["0011"])]),
        (lcus(["0080", "0081"], "S"), "LCUs 0080, 0081 on S", [lcus(["0080"], "S"), lcus(["0081"], "S")]),
        (Subject("channel", ("55",), ("S",)), "channel 55 on S", [Subject("channel", ("55",), ("S",))]),
        (Subject("all", words="1 volume"), "1 volume", []),
    ],
)
def test_a_subject_is_called_by_its_names(subject: Subject, words: str, each: list[Subject]) -> None:
    assert (str(subject), list(subject.each)) == (words, each)


@pytest.mark.parametrize(
    ("subject", "is_held"),
    [
        (lcus(["0012"]), True),
        (lcus(["0011"]), False),
        (lcus(["0012"], "SYSB"), False),
        (Subject("box", ("AB1",)), True),
        (Subject("box", ("0012",)), False),
        (Subject("subsystem", ("AB1",), ("SYSA",)), True),
        (volume_named("VOL001"), True),
        (volume_named("VOL001", "SYSB"), False),
    ],
)
def test_a_part_holds_what_it_names_of_that_kind(subject: Subject, is_held: bool) -> None:
    """LCUs are looked for among LCUs: a box may have the name of one that is not there."""
    part = Part(frozenset([("VOL001", "SYSA")]), frozenset(["0012"]), frozenset(["AB1", "0011"]), frozenset(["SYSA"]))
    assert part.holds(subject) == is_held


@pytest.mark.parametrize(
    ("row", "words", "name"),
    [
        ({"box": "AA1", "serial": "00AA1", "control_unit_type": "002107-961"}, "box 2107-961 AA1", "AA1"),
        ({"box": "AA1", "serial": "AA1", "control_unit_type": None}, "box AA1", "AA1"),
        ({"box": "2010", "serial": None, "control_unit_type": None}, "subsystem 2010", "2010"),
        ({"box": "LCU 0070", "serial": None, "control_unit_type": None, "system": "S"}, "LCU 0070", "0070"),
        (
            {"box": "ESSF20", "serial": None, "control_unit_type": None, "system": "ESSF20"},
            "the storage of ESSF20",
            "ESSF20",
        ),
    ],
)
def test_a_box_goes_by_what_is_known_of_it(row: dict[str, str | None], words: str, name: str) -> None:
    assert (str(box_named(row)), box_named(row).names) == (words, (name,))
    assert box_named(row).opening == words[0].upper() + words[1:]


def test_subjects_are_the_same_whatever_they_are_called() -> None:
    assert Subject("box", ("A",), words="box 2107 A") == Subject("box", ("A",))
    assert Subject("box", ("A",)) != Subject("lcu", ("A",))


def test_what_concerns_neither_volume_nor_box_is_left_out() -> None:
    whole = [volume(n, name, lcu=lcu, subsystem=lcu) for n in range(3) for name, lcu in (("A", "0010"), ("B", "0020"))]
    boxes = [{"subsystem": "0010", "box": "AA1"}, {"subsystem": "0020", "box": "BB2"}]
    part = part_of(database(volume_interval=whole[::2], box_subsystem=boxes))
    assert part.volumes == {("A", "SYSA")}
    assert part.boxes == {"AA1", "0010", "SYSA"}
    con = database(volume_interval=whole, cache_subsystem_interval=[box("0010", "AA1")])
    (general,) = (
        f for f in findings_of_part(run(con), database(volume_interval=whole[::2])) if f.subject.kind == "all"
    )
    assert str(general.subject) == "1 volume"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("narrow")
    write(place / "dumps", intervals=range(38, 44))
    done = invoked(["ingest", str(place / "dumps"), "--lake", str(place / "lake")])
    assert done.exit_code == 0, done.output
    return place


@cache
def advised(folder: Path, *options: str) -> list[dict[str, object]]:
    arguments = ["advise", "pav", "--lake", str(folder / "lake"), "--format", "json", *options]
    done = invoked(arguments, catch_exceptions=False)
    found: list[dict[str, object]] = json.loads(done.stdout)
    # what an answer rests on names the part that was asked for
    return [{name: value for name, value in row.items() if name != "rests_on"} for row in found]


def test_a_volume_gets_the_same_advice_alone_as_among_all(folder: Path) -> None:
    (alone,) = advised(folder, "--volume", "DB2003", "--system", "SYSA")
    assert alone["subject"] == "DB2003 on SYSA"
    assert alone in advised(folder)


def test_lines_for_every_volume_are_narrowed_too(folder: Path) -> None:
    rows = advised(folder, "--every", "--lcu", "0012")
    assert rows
    assert all(row in advised(folder, "--every") for row in rows[:3])
    assert {"DB2003 on SYSA", "DB2003 on SYSB"} <= {row["subject"] for row in rows}
    assert not any("BAT" in str(row["subject"]) for row in rows)


def test_a_volume_brings_no_findings_of_other_lcus(folder: Path) -> None:
    """SYS001 is in LCU 0020; what waits elsewhere is none of its business."""
    assert advised(folder)
    assert advised(folder, "--volume", "SYS001") == []
    assert {str(r["subject"]).split()[0] for r in advised(folder, "--every", "--volume", "SYS001")} == {"SYS001"}
