"""The rows written by hand and the browser are shared with the tests of the rules and of the page."""

import sys
from pathlib import Path

for neighbour in ("advise", "report"):
    sys.path.insert(0, str(Path(__file__).parents[1] / "toolkit" / neighbour))
