"""A comparison begins with one line per box and system."""

import pytest

from iosq.toolkit.compare import words
from iosq.toolkit.compare.engine import Change, Comparison, Kind
from iosq.toolkit.compare.words import MOST, overview


def load(kind: Kind, system: str, name: str, rate: tuple[float, float], wait: tuple[float, float]) -> list[Change]:
    means = {"io_rate": rate, "wait_ms": wait, "service_ms": (2.0, 2.0), "response_ms": (wait[0] + 2, wait[1] + 2)}
    return [
        Change(kind, system, name, measure, "changed", mean_before=before, mean_after=after)
        for measure, (before, after) in means.items()
    ]


def lines(*changes: list[Change]) -> list[str]:
    return list(overview(Comparison(tuple(c for own in changes for c in own), (), (), ())))


def test_a_system_has_the_sum_of_rates_and_the_mean_by_ios_of_its_volumes() -> None:
    box = load("box", "", "AB121", (400.0, 400.0), (0.5, 0.5))
    busy, calm = (
        load("volume", "SYSA", "V1", (300.0, 100.0), (1.0, 3.0)),
        load("volume", "SYSA", "V2", (100.0, 300.0), (5.0, 1.0)),
    )
    assert lines(box, busy, calm) == [
        "box AB121: 400 to 400 I/Os per s, response 2.5 to 2.5 ms (IOSQ 0.5 to 0.5, service 2 to 2)",
        "system SYSA: 400 to 400 I/Os per s, response 4 to 3.5 ms (IOSQ 2 to 1.5, service 2 to 2)",
    ]


def test_a_subject_with_an_unknown_mean_is_left_out() -> None:
    assert lines(load("volume", "SYSA", "V1", (1.0, 1.0), (1.0, 1.0))[:-1]) == []


def test_many_boxes_are_counted() -> None:
    found = lines(*(load("box", "", f"B{n:02}", (1.0, 1.0), (0.0, 0.0)) for n in range(MOST + 2)))
    assert len(found) == MOST + 1 and found[-1] == "and 2 more boxes"


@pytest.mark.parametrize("only_zvm", [True, False])
def test_a_box_that_no_record_names_and_terms_of_z_vm(only_zvm: bool) -> None:
    """Such a box has the name of its LCU (on z/VM an LSS), or of its system, which has a line of its own."""
    found = [
        load(*of, (1.0, 1.0), (0.0, 0.0))
        for of in (("box", "", "LCU 2105"), ("box", "", "VM1"), ("volume", "VM1", "V1"))
    ]
    changes = tuple(c for own in found for c in own)
    comparison = Comparison(changes, (), (), (), only_zvm=only_zvm)
    assert len(list(words.overview(comparison))) == 2
    first, second, *_ = words.lines(comparison)
    assert first.startswith("LSS 2105: " if only_zvm else "LCU 2105: ") and second.startswith("system VM1: ")
    assert ("CP queue 0 to 0" in first) == only_zvm == ("IOSQ" not in first)
