"""Types of arrays."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Mask = NDArray[np.bool_]
Ints = NDArray[np.int_]


@dataclass(frozen=True)
class Columns:
    """Base of dataclasses with fields that are arrays of one shape, or such columns again."""

    def __len__(self) -> int:
        first = next(iter(vars(self).values()))
        return len(first) if isinstance(first, Columns) else int(first.size)

    def pick(self, index: ArrayLike | slice) -> Self:
        """The elements at these positions, under this mask or in this range."""
        at = index if isinstance(index, slice) else np.asarray(index)
        return self._each(lambda part: part[at])

    def flat(self) -> Self:
        """The elements in one dimension."""
        return self._each(np.ravel)

    def joined(self, other: Self) -> Self:
        """These elements followed by others, in one dimension."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return type(self)(*(np.concatenate([np.ravel(mine), np.ravel(its)]) for mine, its in pairs))

    def _each(self, change: Callable[[Any], Any]) -> Self:
        parts = vars(self).items()
        return replace(self, **{n: p._each(change) if isinstance(p, Columns) else change(p) for n, p in parts})
