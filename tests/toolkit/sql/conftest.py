"""The lake in memory is shared with the tests of the parsers."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "parsers"))
