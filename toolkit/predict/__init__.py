"""What-ifs: models applied to rows of a lake or to given numbers; the result is rows, sentences and a chart.

Each module computes an `Answer` for one kind of what-if, which is written as table, JSON, CSV or picture.
"""

from iosq.toolkit.predict.answer import Answer

__all__ = ["Answer"]
