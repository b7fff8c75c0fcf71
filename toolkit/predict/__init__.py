"""What-if: from rows of a lake or numbers of a command line, through the models, to rows, sentences and a chart.

Each module computes an `Answer` for one kind of query; `output` writes it as table, JSON, CSV or picture.
"""

from iosq.toolkit.predict.answer import Answer

__all__ = ["Answer"]
