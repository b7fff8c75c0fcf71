"""How much is tried of what takes long: a part in `make test`, all of it in `make test-long`."""

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
LONG = os.environ.get("IOSQ_TESTS") == "long"


def tried(short: T, long: T) -> T:
    """Examples, seeds, numbers of threads: those of `make test`, or of `make test-long`."""
    return long if LONG else short


def some(cases: Sequence[T], of: int = 3) -> Sequence[T]:
    """Every third of them, or all."""
    return tried(cases[::of], cases)
