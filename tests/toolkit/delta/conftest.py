"""The readers that the lake's own tests have."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "lake"))
