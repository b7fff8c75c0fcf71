"""Before and after: what changed per volume, LCU and box, and whether chance alone could have done it."""

from iosq.toolkit.compare.engine import Change, Comparison, compare
from iosq.toolkit.compare.prediction import Judged, Prediction, judge, predictions

__all__ = ["Change", "Comparison", "Judged", "Prediction", "compare", "judge", "predictions"]
