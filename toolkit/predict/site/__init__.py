"""Compare predictions with measurements after changes in the lake."""

from iosq.toolkit.predict.site.accuracy import Accuracy, Trial, accuracy
from iosq.toolkit.predict.site.answer import answer, latest, trials, with_accuracy
from iosq.toolkit.predict.site.experiments import statement

__all__ = ["Accuracy", "Trial", "accuracy", "answer", "latest", "statement", "trials", "with_accuracy"]
