"""Tests, and the programs that measure: pages have a fixed time of creation, so that their bytes can be compared."""

import os

os.environ.setdefault("SOURCE_DATE_EPOCH", "1763424000")
