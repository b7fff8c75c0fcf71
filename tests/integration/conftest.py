"""Puts the helpers of the parsers' and views' tests on the import path: inputs are rendered and packed with them."""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
for folder in ("parsers/rmf", "parsers/fcx", "parsers/monwrite", "parsers/packaging", "parsers", "toolkit/sql"):
    sys.path.append(str(TESTS / folder))
