"""`python -m tests.study_listings DIR` writes the listings."""

import sys
from pathlib import Path

from tests.study_listings import write

write(Path(sys.argv[1]))
