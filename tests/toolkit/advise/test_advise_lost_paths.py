"""Paths that are lost, and come back."""

import pytest
from test_advise_zvm import cut, found


@pytest.mark.parametrize(
    ("paths", "severity"),
    [((4, 4, 3, 3), "watch"), ((4, 3, 3, 4), "note"), ((3, 3, 4, 4), ""), ((None, 3, 3, 3), "")],
)
def test_a_path_less_than_before_is_lost_however_quick_io_is(paths: tuple[int | None, ...], severity: str) -> None:
    reported = found("paths_lost", *cut(*paths))
    assert [f.severity for f in reported] == [severity] * bool(severity)
    assert all((f.severity == "note") == ("Nothing now: all are back" in f.advice) for f in reported)


@pytest.mark.parametrize(
    ("end", "says"), [(3, "Find out what these control units share"), (4, "first about what these control units share")]
)
def test_paths_that_two_control_units_lost_at_once_have_one_cause_and_are_back_or_not(end: int, says: str) -> None:
    rows = [row | {"volume": f"CUT{lcu}", "lcu": lcu, "response_ms": 6.0 - row["paths"]}
            for lcu in ("2105", "2106") for row in cut(4, 3, 3, end) if row["volume"] == "CUT001"]  # fmt: skip
    (f,) = found("paths_lost", *rows)
    assert f.subject.names == ("CUT2105", "CUT2106") and "of LCUs 2105 and 2106" in f.text
    assert says in f.advice
    assert "An I/O took 3.00 ms then, 2.00 ms with all paths" in f.details
    assert f.text.endswith("all back now") == (end == 4) == ("bring them back" not in f.advice)


def test_paths_that_come_and_go_are_watched_however_short_each_loss_is() -> None:
    """One good interval does not end a loss, two do."""
    often, twice = (4, 3, 4, 4, 3, 4, 4, 3, 4, 4), (4, 3, 4, 4, 3, 4, 4, 4, 4, 4)
    (f,) = found("paths_lost", *cut(*often))
    assert f.severity == "watch" and "(3 times" in f.text and f.advice.startswith("Check the link before it stays away")
    assert found("paths_lost", *cut(*twice)) == []
