"""Compares the models with the published studies: predicted, measured, error.

`validate()` gives the table of `iosq validate`, `predicted_vs_measured()` the points of its chart, `score_predictor()`
scores your own model on the same cells. A study is either a set of protocols (`iosq.models.validate.zvm_pav`) or an
entry of `iosq.models.studies.catalog`, which compares published numbers with predicted ones.
"""

from iosq.models.validate.predictors import Predicted, Predictor
from iosq.models.validate.run import predicted_vs_measured, score_predictor, studies, validate
from iosq.models.validate.score import Limit, Score

__all__ = [
    "Limit", "Predicted", "Predictor", "Score", "predicted_vs_measured", "score_predictor", "studies", "validate",
]  # fmt: skip
