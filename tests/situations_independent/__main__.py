"""Tries the situations and prints what was found of what had to be found.

python -m tests.situations_independent [NAME ...] [--keep FOLDER]
"""

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.situations_independent.expected import Outcome, Situation
from tests.situations_independent.known import WRONG
from tests.situations_independent.run import names, situation_called, tried


def verdict(name: str, o: Outcome) -> str:
    """In one word; a known fault that is gone is a surprise, because its mark has to go too."""
    if o.is_right:
        return "RIGHT NOW, take it from known.py" if name in WRONG else "right"
    return "known fault" if name in WRONG else "WRONG"


def table(s: Situation, o: Outcome) -> Iterator[str]:
    """One line per demand and per forbidden statement that was made."""
    yield f"{s.name}: {verdict(s.name, o)}"
    for say in s.must:
        heard = [f"{f.code} ({f.confidence})" for given, f in o.stated if given == say]
        yield f"  demanded: {say.why}: {', '.join(dict.fromkeys(heard)) or 'NOT SAID'}"
    if s.pav_first in o.unsaid:
        yield f"  NOT FIRST: {s.pav_first.why if s.pav_first else ''}"
    for say in (*s.must_not, *s.later):
        made = [f"{f.code} of {f.subject} ({f.confidence})" for given, f in o.forbidden if given == say]
        if made:
            seen = ", seen later" if say in s.later else ""
            yield f"  WRONGLY SAID{seen}: {', '.join(dict.fromkeys(made))}, though {say.why}"
    for say in o.misplaced:
        yield f"  NOT FIRST, OR NOT ONCE: {say.why}"
    for say, f in o.too_sure:
        yield f"  TOO SURE: {f.code} with {f.confidence} confidence, where {say.at_most} is the most: {say.why}"
    if s.name in WRONG and not o.is_right:
        yield f"  known: {WRONG[s.name]}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Try them; 1 if one is wrong that isn't known to be, or a known one is right."""
    parser = argparse.ArgumentParser(prog="python -m tests.situations_independent", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="situations; all by default")
    parser.add_argument("--keep", type=Path, help="folder for their lakes, which are used again")
    chosen = parser.parse_args(arguments)
    unknown = sorted(set(chosen.names) - set(names()))
    if unknown:
        parser.error(f"no situation {unknown[0]}; known are {', '.join(names())}")
    surprises = right = 0
    for name in chosen.names or names():
        outcome = tried(name, chosen.keep)
        right += outcome.is_right
        surprises += outcome.is_right == (name in WRONG)
        sys.stdout.write("\n".join(table(situation_called(name), outcome)) + "\n")
        sys.stdout.flush()
    sys.stdout.write(f"{right} of {len(chosen.names or names())} right, {surprises} unexpected\n")
    return int(bool(surprises))


if __name__ == "__main__":
    sys.exit(main())
