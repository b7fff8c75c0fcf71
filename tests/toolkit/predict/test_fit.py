"""Machine files fitted to runs, from one upwards, and the runs to measure next."""

import csv
import io
import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from iosq.models.fit.plan import Runs, possible_runs
from iosq.models.machine import load
from iosq.models.pav.answers import FALL
from iosq.models.pav.machine import box_from_machine
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate.protocols import PLANS
from iosq.toolkit.errors import IosqError
from iosq.toolkit.predict import fit, pav_numbers, plan, runs, validation
from iosq.toolkit.predict.answer import Answer
from iosq.toolkit.predict.pav_numbers import Numbers
from tests import validation_page


def _points(path: Path, controller: str, planned: tuple[tuple[int, int], ...]) -> Path:
    have, box = cells().conditions, configurations()[controller]
    lines = [",".join(runs.COLUMNS)]
    for at in range(len(cells())):
        run = (int(have.workers[at]), int(have.aliases[at]))
        if have.controller[at] == controller and run in planned and have.read_ratio[at] != 0.33:
            rate = cells().rate[at] * box.volumes
            parts = (box.volumes, *run, have.read_ratio[at], have.footprint_gb[at], rate)
            lines.append(",".join(f"{part}" for part in parts))
    path.write_text("\n".join(lines), "utf-8")
    return path


def test_a_machine_fitted_to_fifteen_points_predicts_a_mix_it_never_saw(tmp_path: Path) -> None:
    given = _points(tmp_path / "runs.csv", "DS8100", PLANS[0][1])
    found, toml = fit.points_answer("mybox", [given])
    assert len(found.rows) == 15
    assert {row["in_box"] for row in found.rows} == {8.0, 16.0, 40.0}
    (tmp_path / "mybox.toml").write_text(toml, "utf-8")
    machine = load(tmp_path / "mybox.toml")
    assert box_from_machine(machine).calibrated_on
    have = cells().conditions
    wanted = (have.controller == "DS8100") & (have.read_ratio == 0.33) & (have.workers == 10) & ~cells().defective
    numbers = Numbers(requesters=10, volumes=8, read_ratio=0.33, footprint_gb=float(have.footprint_gb[wanted][0]) / 8)
    rows = pav_numbers.answer(numbers, aliases=4, machine=str(tmp_path / "mybox.toml")).rows
    predicted = np.array([rows[int(aliases)]["io_rate"] for aliases in have.aliases[wanted]])
    assert np.abs(predicted / cells().rate[wanted] - 1).mean() < 0.05


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("volumes,requesters\n1,2\n", "no column io_rate"),
        (",".join(runs.COLUMNS) + "\n8,5,0,0.5,x,100\n", "line 2"),
        (",".join(runs.COLUMNS) + "\n8,5,0,1.5,1,100\n", "read_ratio"),
        (",".join(runs.COLUMNS) + 2 * "\n8,5,0,0.5,1,100", "the same run with the same rate as"),
        (
            ",".join(runs.COLUMNS) + "\n8,5,0,0.5,1,100\n8,5,0,0.5,1,1000",
            "line 3: 1,000 per s with 8 in the box, but 100 per s",
        ),
        ("io_rate\n", "no runs below the header"),
        (",".join(runs.COLUMNS) + "\n8,5,0,0.5,1,100\n8,5,1,0.5,1,\n", "line 3: no io_rate"),
    ],
)
def test_points_that_cannot_be_used_name_file_and_line(tmp_path: Path, text: str, words: str) -> None:
    path = tmp_path / "points.csv"
    path.write_text(text, "utf-8")
    with pytest.raises(IosqError, match=re.escape(words)) as caught:
        fit.points_answer("mybox", [path])
    assert "points.csv" in str(caught.value)


def _fitted(tmp_path: Path, *lines: str, columns: str = ",".join(runs.COLUMNS)) -> tuple[Answer, str]:
    path = tmp_path / "points.csv"
    path.write_text("\n".join([columns, *lines]), "utf-8")
    found, toml = fit.points_answer("mybox", [path])
    (tmp_path / "mybox.toml").write_text(toml, "utf-8")
    return found, str(tmp_path / "mybox.toml")


def _width(machine: str) -> float:
    asked = Numbers(requesters=5, volumes=8, read_ratio=0.7, footprint_gb=0.1)
    row = pav_numbers.answer(asked, aliases=0, machine=machine).rows[0]
    return float(np.log(row["io_rate_high"] / row["io_rate_low"]))


def test_one_point_is_enough_for_a_file_that_says_how_little_it_knows(tmp_path: Path) -> None:
    found, machine = _fitted(tmp_path, "8,1,0,0.5,2.4,5000")
    assert "fitted to 1 planned run in points.csv" in found.conclusions[0]
    assert any("these runs leave bounds only" in text for text in found.conclusions)
    assert any(text.startswith("measure next: ") for text in found.conclusions)
    asked = Numbers(requesters=5, volumes=8, read_ratio=0.5, footprint_gb=0.3)
    answer = pav_numbers.answer(asked, aliases=4, machine=machine)
    assert [row["identifiable"] for row in answer.rows] == [True, False, False, False, False]
    today, *_, last = answer.rows
    # today's row holds the scatter of measured means too
    assert last["io_rate_low"] == pytest.approx(FALL * today["io_rate_low"], rel=0.05)
    assert last["io_rate_high"] == pytest.approx(5 * today["io_rate_high"], rel=0.05)


def test_a_missing_column_is_assumed_named_and_widens(tmp_path: Path) -> None:
    full = [f"8,{q},{a},0.7,1,{rate}" for q, a, rate in ((1, 0, 5000), (4, 0, 5000), (2, 1, 7000), (5, 4, 8000))]
    known, machine = _fitted(tmp_path, *full)
    narrow = _width(machine)
    assert not any("assumed:" in text for text in known.conclusions)
    bare = [",".join(line.split(",")[:3] + line.split(",")[5:]) for line in full]
    less, machine = _fitted(tmp_path, *bare, columns="volumes,requesters,aliases,io_rate")
    assert "not in the file and assumed: read_ratio 0.7, footprint_gb 1" in less.conclusions
    assert _width(machine) > 1.3 * narrow


def test_runs_of_two_boxes_are_reported_and_answered_with_intervals_for_both(tmp_path: Path) -> None:
    """One mix measured on a box five times as fast: between its states an answer may be of either box."""
    shipped, state = box_from_machine(load("ess-f20")), np.array
    volumes = 8 * np.ones(1)
    lines = []
    for reads in (0.0, 0.33, 1.0):
        for requesters, count in ((1, 0), (2, 1), (4, 0), (5, 4), (20, 4)):
            run = Runs(volumes, state([requesters]), state([count]), state([reads]), state([0.48 * requesters]))
            rate = float(shipped.rate(run.load)[0]) * (5 if reads == 0.33 else 1)
            lines.append(f"8,{requesters},{count},{reads},{0.48 * requesters},{rate:.0f}")
    one, machine = _fitted(tmp_path, *(line for line in lines if ",0.33," not in line))
    assert not any("off the curve" in text for text in one.conclusions)
    narrow = _width(machine)
    both, machine = _fitted(tmp_path, *lines)
    (shown,) = [text for text in both.conclusions if "off the curve" in text]
    assert "points are more than a quarter off the curve, the worst (" in shown
    assert "points.csv, line " in shown
    assert _width(machine) > 4 * narrow
    asked = Numbers(requesters=3, volumes=8, read_ratio=0.66, footprint_gb=0.18)
    assert (
        "more than a quarter off its curve"
        in pav_numbers.answer(asked, aliases=1, machine=machine).common["calibrated_on"]
    )


def test_a_rate_that_is_no_boxs_puts_what_was_assumed_in_doubt_first(tmp_path: Path) -> None:
    """One I/O in 0.2 ms is a box of today; in 0.2 µs it is more likely that the file leaves out how many there are."""
    fast, _ = _fitted(tmp_path, "5000", columns="io_rate")
    assert not any("off the curve" in text for text in fast.conclusions)
    bare, _ = _fitted(tmp_path, "5000000", columns="io_rate")
    (shown,) = [text for text in bare.conclusions if "off the curve" in text]
    assert "1 of 1 point is" in shown and "Give the columns that were assumed (volumes 1, requesters" in shown
    full, _ = _fitted(tmp_path, "1,1,0,0.7,1,5000000")
    (shown,) = [text for text in full.conclusions if "off the curve" in text]
    assert "unlike the boxes this program knows, or a slip: measure more" in shown


@pytest.mark.parametrize("seed", range(3))
def test_fit_and_plan_name_the_same_run_and_none_that_was_measured(tmp_path: Path, seed: int) -> None:
    """Runs as a plan names them, their data as users round it: what fit says to measure next is the plan's first."""
    rng = np.random.default_rng(seed)
    possible = possible_runs(int(rng.integers(2, 20)), 0.06, 4)
    some = rng.choice(len(possible.requesters), int(rng.integers(1, 6)), replace=False)
    rates = box_from_machine(load("ds8100")).rate(possible.load)
    data = possible.footprint_gb * rng.uniform(0.9, 1.1, len(rates))
    columns = (possible.requesters, possible.aliases, possible.read_ratio, data, rates)
    lines = [f"{possible.volumes}," + ",".join(f"{column[at]:g}" for column in columns) for at in some]
    found, _ = _fitted(tmp_path, *lines)
    (message,) = [text for text in found.conclusions if text.startswith("measure next: ")]
    planned = plan.answer(60, volumes=int(possible.volumes), points=[tmp_path / "points.csv"])
    row = planned.rows[0]
    assert f"{100 * row['read_ratio']:.0f} % reads, {row['requesters']} requester" in message
    assert message.rpartition("falls from ")[2].partition(" to ")[0] in planned.conclusions[0]
    names = ("requesters", "aliases", "read_ratio")
    done = {tuple(float(getattr(possible, name)[at]) for name in names) for at in some}
    assert not done & {tuple(float(r[name]) for name in names) for r in planned.rows}


def test_runs_beyond_what_was_seen_are_flagged(tmp_path: Path) -> None:
    """Thirteen runs without aliases: the effect of four aliases is unknown, and is bounded."""
    lines = [f"8,{q},0,{r},{0.48 * q},{5000 - 100 * q}" for q in (1, 2, 4, 8) for r in (0, 0.5, 1)]
    _, machine = _fitted(tmp_path, *lines, "8,3,0,0.5,1.5,4700")
    rows = pav_numbers.answer(
        Numbers(requesters=5, volumes=8, read_ratio=0.5, footprint_gb=0.3), aliases=4, machine=machine
    ).rows
    assert [row["identifiable"] for row in rows] == [True, False, False, False, False]
    assert rows[4]["io_rate_low"] == pytest.approx(FALL * rows[0]["io_rate_low"], rel=0.05)


def test_a_plan_is_what_fit_reads_once_rates_are_filled_in(tmp_path: Path) -> None:
    found = plan.answer(8)
    lines = list(csv.DictReader(io.StringIO(found.text("csv"))))
    assert len(lines) == 8 and set(runs.COLUMNS) <= set(lines[0])
    left = [row["open_percent"] for row in found.rows]
    assert left == sorted(left, reverse=True)
    paths = [_filled(tmp_path / f"runs{at}.csv", lines[at : at + 4]) for at in (0, 4)]
    assert len(runs.read(paths).points) == 8
    after = plan.answer(1, points=paths).rows[0]
    assert after["open_percent"] < left[0]
    assert "8 planned runs in runs0.csv, runs4.csv" in fit.points_answer("mybox", paths)[0].conclusions[0]
    with pytest.raises(IosqError, match=re.escape("the same run with the same rate as")):
        runs.read([*paths, paths[0]])


def _filled(path: Path, lines: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(lines[0]))
        writer.writeheader()
        writer.writerows({**line, "io_rate": 3000 + 500 * float(line["requesters"])} for line in lines)
    return path


def test_a_plan_in_stages_names_no_run_twice(tmp_path: Path) -> None:
    """All possible runs were measured but one: that one is left, however well the others predict it."""
    every = list(csv.DictReader(io.StringIO(plan.answer(60, aliases=0).text("csv"))))
    known = _filled(tmp_path / "known.csv", every[:-1])
    left = plan.answer(60, aliases=0, points=[known]).rows
    assert [(row["requesters"], row["read_ratio"]) for row in left] == [
        (int(every[-1]["requesters"]), float(every[-1]["read_ratio"]))
    ]


def test_a_plan_from_a_machine_file_is_that_from_its_points(tmp_path: Path) -> None:
    """The file keeps parameter sets and measured runs, rounded: the same runs follow, and what is left open."""
    given = _points(tmp_path / "runs.csv", "DS8100", ((1, 0), (2, 1), (5, 4)))
    found, toml = fit.points_answer("mybox", [given])
    (tmp_path / "mybox.toml").write_text(toml, "utf-8")
    by_points, by_file = plan.answer(6, points=given), plan.answer(6, machine=tmp_path / "mybox.toml")
    ours, its = ([{**row, "open_percent": 0} for row in answer.rows] for answer in (by_points, by_file))
    assert ours == its
    left, its_left = ([row["open_percent"] for row in answer.rows] for answer in (by_points, by_file))
    assert left == pytest.approx(its_left, rel=0.01)
    (first,) = [text for text in found.conclusions if text.startswith("measure next: ")]
    row = its[0]
    assert f"{100 * row['read_ratio']:.0f} % reads, {row['requesters']} requester" in first


@pytest.mark.parametrize(
    ("machine", "cache_gb", "known", "words"),
    [
        ("ds8100", 4.0, False, "--cache-gb: the machine file holds what it was fitted to"),
        ("ds8100", None, True, "--points: the machine file holds what it was fitted to"),
        ("ficon", None, False, "ficon is a channel, not a box"),
    ],
)
def test_a_plan_has_one_source(machine: str, cache_gb: float | None, known: bool, words: str, tmp_path: Path) -> None:
    with pytest.raises(IosqError, match=re.escape(words)):
        plan.answer(3, cache_gb=cache_gb, points=[tmp_path / "runs.csv"] if known else None, machine=machine)


def test_a_plan_from_a_machine_without_its_runs_says_so(tmp_path: Path) -> None:
    assert any("keeps no single runs" in text for text in plan.answer(1, machine="ds8100").conclusions)
    bare = tmp_path / "bare.toml"
    whole = files("iosq.models").joinpath("hardware", "ds8100.toml").read_text("utf-8")
    bare.write_text(whole[: whole.index("[seen]")], "utf-8")
    with pytest.raises(IosqError, match="bare does not say what is open about it"):
        plan.answer(1, machine=bare)


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ({"runs": 0}, "--runs"),
        ({"volumes": 0}, "--volumes"),
        ({"aliases": -1}, "--aliases"),
        ({"gb_per_requester": 0.0}, "--gb-per-requester"),
    ],
)
def test_impossible_plans_name_the_option(given: dict[str, Any], name: str) -> None:
    with pytest.raises(IosqError, match=name):
        plan.answer(**given)


def test_validation_says_what_has_no_number() -> None:
    found = validation.answer(["vts"])
    facts = [row for row in found.rows if row["kind"] == "fact"]
    assert any(row["role"] == "unpredicted" and row["note"] for row in facts)


def test_validation_rows_are_plain_and_a_page_is_about_the_study_asked_for(tmp_path: Path) -> None:
    rows = list(csv.reader(io.StringIO(validation.answer(["se700"]).text("csv"))))
    assert len({len(row) for row in rows}) == 1
    assert not [cell for row in rows for cell in row if cell.startswith(("[", "{"))]
    target = tmp_path / "page.md"
    assert validation_page.page(target, ["se700"]) == [target]
    text = target.read_text("utf-8")
    assert "se700" in text and "zvm_pav" not in text and "svg" not in text
