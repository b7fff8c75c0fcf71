"""Compare before and after: changes per volume, LCU and box, with their significance."""

from iosq.toolkit.compare.engine import Change, Comparison, compare
from iosq.toolkit.compare.prediction import Judged, Prediction, judge, predictions

__all__ = ["Change", "Comparison", "Judged", "Prediction", "compare", "judge", "predictions"]
