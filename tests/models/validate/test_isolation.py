"""Nothing that was fitted on scored cells can reach a model under test."""

import subprocess
import sys

import numpy as np
import pytest

from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate import protocols, zvm_pav
from iosq.models.validate.harness import predict
from iosq.models.validate.predictors import Predicted, no_change, structural

ALL = {
    "CR": protocols.row_and_other_mixes,
    "B'": protocols.first_alias,
    "D15": protocols.planned_runs,
    "D15 across": protocols.planned_runs_across,
    "E": protocols.other_mixes,
    "A": protocols.bare_row,
}
WATCHED_RUN = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from iosq.models.validate import protocols
from iosq.models.validate.harness import predict
from iosq.models.validate.predictors import structural
for split in list(protocols.planned_runs())[:1]:
    predict(split, structural)
assert any("cells.csv" in name for name in opened)
assert "iosq.models.machine" not in sys.modules, "the harness imports the machine loader"
assert "iosq.models.studies.zvm_pav.machine_file" not in sys.modules, "the harness imports the all-cells fit"
assert not [name for name in opened if "hardware" in name], "the harness reads machine files"
"""


def keys(have):
    return set(zip(have.controller, have.read_ratio, have.workers, have.aliases, strict=True))


@pytest.mark.parametrize("name", ALL)
def test_no_target_is_among_the_calibration_cells(name):
    for split in ALL[name]():
        seen = keys(cells().pick(split.calibration).conditions)
        assert seen and not seen & keys(split.asked)
        assert {key[0] for key in seen} == {split.controller}
        assert not cells().pick(split.calibration).defective.any()


def test_what_each_protocol_may_see():
    sizes = {name: {len(split.calibration) for split in ALL[name]()} for name in ("D15", "A")}
    assert sizes["D15"] == {15}
    assert max(sizes["A"]) == 7
    for split in protocols.first_alias():
        assert cells().conditions.aliases[split.calibration].max() == 1
    for split in protocols.other_mixes():
        mixes = cells().conditions.read_ratio
        assert not set(mixes[split.calibration]) & set(mixes[split.targets])


def test_a_model_is_handed_conditions_without_measurements():
    split = next(protocols.planned_runs())
    handed = []
    predict(split, lambda seen, asked, box: handed.append((seen, asked)) or no_change(seen, asked, box))
    assert len(handed[0][0]) == 15
    assert not [name for name in vars(handed[0][1]) if "rate" in name.split("_") or name.endswith("_ms")]


def test_answers_do_not_depend_on_what_was_measured_at_the_targets(monkeypatch):
    split = list(protocols.first_alias())[1]
    honest = predict(split, structural)
    spoiled = cells().pick(np.arange(len(cells())))
    spoiled.rate[split.targets] *= 3
    monkeypatch.setattr("iosq.models.validate.harness.cells", lambda: spoiled)
    assert predict(split, structural).rate == pytest.approx(honest.rate)


def test_strict_a_learns_its_prior_from_the_other_two_boxes(monkeypatch):
    given = []

    def spy(boxes):
        given.append({box.name for box in boxes})
        return lambda _seen, asked, _box: Predicted(*(np.ones(len(asked)) for _ in range(4)))

    monkeypatch.setattr(zvm_pav, "structural_with", spy)
    done = zvm_pav.bare_rows()
    asked = [split.controller for split in protocols.bare_row()]
    assert len(done.at) == 336
    assert [set(configurations()) - names for names in given] == [{name} for name in asked]


def test_machine_files_are_out_of_reach():
    answer = subprocess.run([sys.executable, "-c", WATCHED_RUN], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
