"""An ingest with the fake reader in a process of its own, to be killed: `ingest_process.py LAKE PATH...`.

DIE_AT="place_files after 3" kills it right after the third call of `commit.place_files`.
"""

import os
import signal
import sys
from collections.abc import Callable
from itertools import count

from lake_fakes import Fakes

from iosq.toolkit.lake import commit
from iosq.toolkit.lake.ingest import ingest
from iosq.toolkit.lake.lake import Lake


def deadly(step: Callable[..., object], moment: str, call: int) -> Callable[..., object]:
    """`step` with a kill before or after its `call`-th call."""
    calls = count(1)

    def run(*arguments: object) -> object:
        dying = next(calls) == call
        if dying and moment == "before":
            os.kill(os.getpid(), signal.SIGKILL)
        result = step(*arguments)
        if dying:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return run


if __name__ == "__main__":
    if "DIE_AT" in os.environ:
        name, moment, call = os.environ["DIE_AT"].split()
        setattr(commit, name, deadly(getattr(commit, name), moment, int(call)))
    print("ready", flush=True)
    outcomes = ingest(Lake(sys.argv[1]), sys.argv[2:], recognise=Fakes())
    print(*(outcome.status for outcome in outcomes))
