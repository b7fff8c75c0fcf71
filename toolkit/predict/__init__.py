"""What-if: rows of a lake or numbers from a command line, through the models, to rows, conclusions and a chart.

Every module here answers one kind of question with an `Answer`; `output` writes it as table, JSON, CSV or picture.
"""

from iosq.toolkit.predict.answer import Answer

__all__ = ["Answer"]
