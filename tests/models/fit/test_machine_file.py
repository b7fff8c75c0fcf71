"""A machine file keeps what the fit left open, and does not answer beyond what it saw."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from iosq.models.fit.calibrate import calibrate
from iosq.models.fit.machine_file import error_fact, machine_toml, undetermined
from iosq.models.fit.points import points
from iosq.models.fit.prior import weak_prior
from iosq.models.machine import load
from iosq.models.pav.box import Box, BoxLoad, parameter_table
from iosq.models.pav.closed import what_if_closed
from iosq.models.pav.machine import box_from_machine
from iosq.models.pav.volume import ClosedVolumes
from iosq.toolkit.errors import RequestError, printable

MEDIANS = {name: row.median for name, row in parameter_table().items() if row.when == "always"}
TRUE = Box("true", MEDIANS | {"front_end_rate": 11_000.0})


def fitted(in_box):
    n, reads, footprint = (a.ravel() for a in np.meshgrid(in_box, [0.0, 0.66, 1.0], [0.5, 5]))
    at = BoxLoad.of(n, reads, footprint, n > 8, n > 8)
    return calibrate("x", points(at, TRUE.rate(at)), weak_prior(), np.random.default_rng(0))


def stored(done, folder):
    path = folder / "x.toml"
    path.write_text(machine_toml("x", done, "a test", error_fact(done, 0.08)), encoding="utf-8")
    return box_from_machine(load(path))


def test_names_of_files_come_back_whatever_they_are(tmp_path):
    """The name of the points' file stands in the machine file: with a control character it could not be read."""
    done, path = fitted([8]), tmp_path / "x.toml"
    with (Path(__file__).parents[2] / "hostile" / "names.csv").open(encoding="utf-8", newline="") as table:
        names = [json.loads(row["text_json"]) for row in csv.DictReader(table)]
    for name in [*filter(str.strip, names), 'C:\\runs\\"mine".csv', "\udce9\x7f.csv"]:
        path.write_text(machine_toml(name, done, name, error_fact(done, 0.08)), encoding="utf-8")
        back = load(path)
        assert back.title == printable(name) and back.title.isprintable()
        assert {p.source for p in back.parameters.values() if p.how == "fitted"} == {printable(name)}


def width(box, load_):
    low, high = np.quantile(box.rates(load_, np.random.default_rng(0), 400), [0.05, 0.95], axis=0)
    return np.log(high / low)


def test_ranges_and_spread_come_back(tmp_path):
    done = fitted([8, 16, 40])
    box = stored(done, tmp_path)
    assert box.seen is not None and box.seen.in_box == (8, 40) and box.seen.aliased == (False, True)
    asked = BoxLoad.of([12.0, 36.0], [0.33, 1.0], [2.0, 1.0], True, True)
    assert box.rate(asked) == pytest.approx(done.known.rate(asked), rel=0.02)
    assert width(box, asked) == pytest.approx(width(done.known, asked), rel=0.5)


def test_a_state_that_was_measured_keeps_its_rate_in_the_file_and_neighbours_their_share(tmp_path):
    """All states with 16 in the box and a host queue were 4 % faster than the form of the curve can be."""
    n, reads, footprint = (a.ravel() for a in np.meshgrid([8, 16, 40], [0.0, 0.66, 1.0], [0.5, 5]))
    at = BoxLoad.of(n, reads, footprint, n > 8, n > 8)
    measured = points(at, TRUE.rate(at) * np.where(n == 16, 1.04, 1.0))
    done = calibrate("x", measured, weak_prior(), np.random.default_rng(0))
    box, bare = stored(done, tmp_path), replace(done.known, left=None)
    assert np.abs(np.log(box.rate(at) / measured.rate)).max() < 0.005
    close = BoxLoad.of(1.2 * n, reads, footprint, n > 8, n > 8)
    gained = np.log(box.rate(close) / bare.rate(close))
    assert 0.005 < gained[n == 16].mean() < 0.04


def test_the_file_says_what_the_fit_says_near_and_far_from_what_was_measured(tmp_path):
    """What `iosq validate` scores is what a machine file answers, give or take four digits."""
    done = fitted([8, 16, 40])
    box, at = stored(done, tmp_path), done.points.load
    for load_ in (at, BoxLoad.of(1.03 * at.in_box, at.read_ratio, at.footprint_gb, at.aliased, at.queued)):
        assert box.rate(load_) == pytest.approx(done.known.rate(load_), rel=2e-3)
        drawn = (one.rates(load_, np.random.default_rng(1)) for one in (box, done.known))
        ends = [np.quantile(rates, [0.05, 0.95], axis=0) for rates in drawn]
        assert ends[0] == pytest.approx(ends[1], rel=5e-3)


def test_runs_without_aliases_do_not_answer_for_aliases(tmp_path):
    box = stored(fitted([8]), tmp_path)
    wide, asked = BoxLoad.of([40.0], [1.0], [0.5], True, True), ClosedVolumes.of(np.full(8, 5.0), 1.0, 0.06)
    assert not box.reaches(wide)[0] and box.reaches(BoxLoad.of([8.0], [1.0], [0.5], False, True))[0]
    assert width(box, wide) > 1.2 * width(stored(fitted([8, 16, 40]), tmp_path), wide)
    answer = what_if_closed(box, asked, [0, 4], np.random.default_rng(0))
    bare, many = answer.predictions
    assert bare.identifiable and not many.identifiable
    assert many.rate.low == pytest.approx(0.8 * bare.rate.low), "a box may get slower with aliases"
    assert many.rate.high == pytest.approx(5 * bare.rate.high)


def test_pure_reads_do_not_follow_from_mixes(tmp_path):
    n, reads = (a.ravel() for a in np.meshgrid([8, 16, 40], [0.0, 0.33, 0.66]))
    at = BoxLoad.of(n, reads, 1.0, n > 8, n > 8)
    box = stored(calibrate("x", points(at, TRUE.rate(at)), weak_prior(), np.random.default_rng(0)), tmp_path)
    assert box.reaches(at).all()
    assert not box.reaches(BoxLoad.of([16.0], [1.0], [1.0], True, True))[0]


def test_what_the_points_leave_open_is_named():
    assert "front_end_corner" in undetermined(fitted([8]))
    assert "write_ms" not in undetermined(fitted([8, 16, 40]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("in_box = [8, 40]", "in_box = [8]", "seen.in_box"),
        ("in_box = [8, 40]", 'in_box = ["a", 1]', "seen"),
        ("in_box = [8, 40]", "in_box = [40, 8]", "smallest and largest"),
        ("[draws]\nread_hit_ms = [", "[draws]\nread_hit_ms = [1, ", "differ in length"),
        ("[draws]\nread_hit_ms = [", "[draws]\nread_hot_ms = [", "draws.read_hit_ms"),
        ("measured_ratio = [", "measured_ratio = [1, ", "key points: the lists differ in length"),
        ("measured_ratio = [", "measured_ratios = [", "points.measured_ratio: missing"),
        ("[points]\nin_box = [8,", "[points]\nin_box = [-8,", "in_box"),
    ],
)
def test_spoiled_files_say_where(tmp_path, old, new, message):
    text = machine_toml("x", fitted([8, 40]), "a test", {})
    assert old in text
    path = tmp_path / "x.toml"
    path.write_text(text.replace(old, new), encoding="utf-8")
    with pytest.raises(RequestError, match=message):
        box_from_machine(load(path))
