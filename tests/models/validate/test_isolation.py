"""Nothing that was fitted on scored cells can reach a model under test."""

import subprocess
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.validate import other_boxes, planning, protocols
from iosq.models.validate.baselines import no_change
from iosq.models.validate.harness import predict
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import box_model
from iosq.models.validate.zvm_pav import PROTOCOLS

WATCHED_RUN = """
import sys
opened = []
sys.addaudithook(lambda event, args: opened.append(str(args[0])) if event == "open" else None)
from iosq.models.validate import protocols
from iosq.models.validate.harness import predict
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import box_model
for split in list(protocols.planned_runs())[:1]:
    predict(split, box_model(prior_of_others))
assert any("cells.csv" in name for name in opened)
assert "iosq.models.machine" not in sys.modules, "the harness imports the machine loader"
assert not [name for name in opened if "hardware" in name], "the harness reads machine files"
"""


def keys(have):
    return set(zip(have.controller, have.read_ratio, have.workers, have.aliases, strict=True))


def test_no_plan_has_an_unused_alias():
    """Each worker has one I/O at a time, so that the base and an alias for each of the others are all in use."""
    assert all(aliases < workers for _, runs in protocols.PLANS for workers, aliases in runs)


@pytest.mark.parametrize("name", [name for name in PROTOCOLS if name not in planning.STAGES])
def test_no_target_is_among_the_calibration_cells(name):
    for split in PROTOCOLS[name]():
        seen = keys(cells().pick(split.calibration).conditions)
        assert seen and not seen & keys(split.asked)
        assert {key[0] for key in seen} == {split.controller}
        assert not cells().pick(split.calibration).defective.any()


def test_what_each_protocol_may_see():
    sizes = {name: {len(split.calibration) for split in PROTOCOLS[name]()} for name in ("D15", "A")}
    assert sizes["D15"] == {13, 14, 15}  # planned runs that went wrong are left out
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


def forget():
    for found in (other_boxes._fitted, other_boxes._left_out, other_boxes._learned):
        found.cache_clear()


@pytest.fixture
def spoiled(monkeypatch):
    """Puts another rate on all cells of one box but those that are handed out."""
    forget()

    def spoil(split):
        wrong = cells().pick(np.arange(len(cells())))
        own = (wrong.conditions.controller == split.controller) & ~np.isin(np.arange(len(wrong)), split.calibration)
        wrong = replace(wrong, rate=np.where(own, 3 * wrong.rate, wrong.rate))
        for module in ("harness", "other_boxes", "planning"):
            monkeypatch.setattr(f"iosq.models.validate.{module}.cells", lambda: wrong)
        forget()

    yield spoil
    forget()


def test_answers_for_a_box_never_seen_depend_on_no_other_cell_of_it(spoiled):
    split = list(protocols.bare_row())[1]
    honest = predict(split, box_model(prior_of_others))
    spoiled(split)
    again = predict(split, box_model(prior_of_others))
    assert again.rate == pytest.approx(honest.rate)
    assert again.intervals[90][1] == pytest.approx(honest.intervals[90][1])


def test_a_plan_in_stages_depends_on_no_cell_of_the_box_but_those_it_runs(spoiled):
    planning.planned_cells.cache_clear()
    first, *_ = configurations()
    at_once, staged = (planning.planned_cells(first, stages, 0) for stages in (planning.AT_ONCE, planning.IN_STAGES))
    assert len(set(at_once)) == len(set(staged)) == 15 and len(set(at_once) & set(staged)) in range(5, 15)
    spoiled(SimpleNamespace(controller=first, calibration=np.array(staged)))
    planning.planned_cells.cache_clear()
    assert planning.planned_cells(first, planning.IN_STAGES, 0) == staged
    planning.planned_cells.cache_clear()


def test_priors_depend_on_the_other_boxes(spoiled):
    first, *others = configurations().values()
    before = prior_of_others(others[0], 5.0)
    assert first.controller in before.source and others[0].controller not in before.source
    split = next(s for s in protocols.bare_row() if s.controller == first.controller)
    spoiled(split)
    assert prior_of_others(others[0], 5.0).centre != pytest.approx(before.centre)
    assert prior_of_others(first, 5.0).centre.shape == before.centre.shape


def test_machine_files_are_out_of_reach():
    answer = subprocess.run([sys.executable, "-c", WATCHED_RUN], capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stderr
