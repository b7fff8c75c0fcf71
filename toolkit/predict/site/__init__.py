"""Predictions compared with what the lake measured after its own changes."""

from iosq.toolkit.predict.site.accuracy import Accuracy, Trial, accuracy
from iosq.toolkit.predict.site.answer import answer, resized, trials
from iosq.toolkit.predict.site.changes import statement

__all__ = ["Accuracy", "Trial", "accuracy", "answer", "resized", "statement", "trials"]
