"""How much is tried of what takes long: a part in `make test`, all of it in `make test-long`."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")
LONG = os.environ.get("IOSQ_TESTS") == "long"


def tried(short: T, long: T) -> T:
    """Examples, seeds, numbers of threads: those of `make test`, or of `make test-long`."""
    return long if LONG else short
