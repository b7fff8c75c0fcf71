"""A short form of the z/VM table once for all tests: the protocols that cost least, and the recommender."""

import pytest

from iosq.models.studies.zvm_pav.load import weak_prior_for
from iosq.models.validate import planning, zvm_pav
from iosq.models.validate.baselines import BASELINES
from iosq.models.validate.other_boxes import prior_of_others
from iosq.models.validate.predictors import box_model

FIXED = [name for name in zvm_pav.PROTOCOLS if name not in planning.STAGES]  # the others take fits to say what is run


@pytest.fixture(scope="session")
def table():
    made = zvm_pav.scores_of(zvm_pav.UNSEEN, box_model(prior_of_others), ("CR", "B'", "A"))
    made += zvm_pav.scores_of(zvm_pav.IN_VIEW, box_model(weak_prior_for), ("B'", "A"))
    for name, predictor in BASELINES:
        made += zvm_pav.scores_of(name, predictor, FIXED)
    return made + zvm_pav.scores_without_a_box()
