"""The shipped boxes are what the study's cells give, and files of other kinds are refused."""

import numpy as np
import pytest
from fit_zvm_pav import machine_text

from iosq.models.machine import load
from iosq.models.pav.machine import box_from_machine
from iosq.models.studies.zvm_pav import cells, configurations
from iosq.models.studies.zvm_pav.load import box_load
from iosq.toolkit.errors import RequestError


@pytest.mark.parametrize("configuration", configurations().values(), ids=lambda c: c.machine)
def test_shipped_files_are_reproducible(configuration, tmp_path):
    shipped = load(configuration.machine)
    path = tmp_path / f"{configuration.machine}.toml"
    path.write_text(machine_text(configuration.controller, shipped.value("rate_error_ratio")), encoding="utf-8")
    made = load(path)
    assert set(made.parameters) == set(shipped.parameters)
    load_ = box_load(cells().conditions, configuration.volumes)
    ours, theirs = box_from_machine(made).rate(load_), box_from_machine(shipped).rate(load_)
    assert ours == pytest.approx(theirs, rel=0.01)


@pytest.mark.parametrize("configuration", configurations().values(), ids=lambda c: c.machine)
def test_shipped_files_explain_the_cells_they_were_fitted_on(configuration):
    own = cells().pick((cells().conditions.controller == configuration.controller) & ~cells().defective)
    rate = box_from_machine(load(configuration.machine)).rate(box_load(own.conditions, configuration.volumes))
    error = np.abs(rate / configuration.volumes / own.rate - 1)
    assert error.mean() < 0.03 and np.median(error) < 0.02


def test_other_kinds_are_refused():
    with pytest.raises(RequestError, match="ficon"):
        box_from_machine(load("ficon"))
