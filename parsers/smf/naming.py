"""Finds sections that name another owner than the one that points at them by position."""

import numpy as np

from iosq.parsers.smf.layout import Naming
from iosq.parsers.smf.locate import Located
from iosq.parsers.smf.rows import Ints

# an owner has only a few sections; limits the memory that a damaged count takes
MOST = 16


def contradictions(located: Located, naming: Naming) -> Ints:
    """Row of the record of each section that names another owner than the one pointing at it."""
    owners, owned = located.sections(naming.owner), located.sections(naming.section)
    if not len(owners.places) or not len(owned.places):
        return np.empty(0, np.int64)
    first, count, own_name = (
        owners.number(located.layout.section(naming.owner).field(n)) for n in (naming.first, naming.count, naming.id)
    )
    count = np.where(first > 0, np.minimum(count, MOST), 0)
    owner = np.arange(len(count)).repeat(count)
    position = first[owner] + np.arange(len(owner)) - (np.cumsum(count) - count)[owner]
    named = located.layout.section(naming.section).field(naming.named)
    # a record (at most 64 KiB) has fewer than 2**20 sections
    keys = owned.places.record << 20 | owned.places.index
    order = np.argsort(keys)
    wanted = owners.places.record[owner] << 20 | position
    at = order[np.minimum(np.searchsorted(keys, wanted, sorter=order), len(keys) - 1)]
    found = (keys[at] == wanted) & (owned.places.length[at] >= named.end)
    wrong = found & (owned.number(named)[at] != own_name[owner])
    return np.asarray(owned.places.record[at[wrong]], np.int64)
