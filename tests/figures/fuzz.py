"""Mutated inputs of every kind, read in this process, one file in four twice: `tests/fuzz` lists the checks.

Changes affect bytes and spans anywhere, and values that a reader relies on: lengths, triplets, dates, digits, the width
of printed numbers. Records of dumps, listings, XML documents and MONWRITE files, each changed separately, are mostly
read 120 to a file; one input in sixteen is a separate file. In every second file of listings only rows are changed,
below valid headings. None is loaded into a lake (see lakes of mutated inputs below). An input must be refused
in one line, or read with records and bytes in balance, the same rows both times, no loss without an issue, in
limited time and memory. Inputs that fail are kept in `tests/broken/fuzz`, read by every test run, and count as failed
until they are read as promised. `--count` is the total number of inputs of each kind; the goal is a
million. `--kind smf --kind gzip` reads only these kinds.
Speeds are those of the last run of each kind on its machine. Each of the 120 records in a file counts as an input, so
they can't be compared with earlier speeds, when each input was a file. Memory is that of the process, which reads one
input after another.
"""

import re
from collections.abc import Iterator, Sequence

from tests.figures.kept import Figure, Line, number
from tests.figures.kept import failures as reported
from tests.fuzz.campaign import CORPUS, MEMORY_MB, SECONDS, campaign, fault, keep
from tests.fuzz.kinds import KINDS

_INPUT = re.compile(r"^(\w+): .* \(kept as (\w+\.bin)\)$")
AT_ONCE = 20_000  # inputs between two lines of results


def piece(kind: str, number_of: int, size: int) -> Line:
    """This many inputs more of a kind; others than in every piece before."""
    found = campaign(KINDS[kind], size, seed=1_000_000 + number_of)
    wrong = [f"{text} (kept as {keep(kind, data).name})" for text, data in found.failures]
    figures = {"slowest_s": round(found.slowest_s, 2), "cpu_s": round(found.cpu_s, 1), "mb": round(found.memory_mb)}
    return {"what": kind, "inputs": size, "refused": found.refused, "wrong": wrong, **figures}


def run(kept: list[Line], count: int | None, kinds: Sequence[str] = ()) -> Iterator[Line]:
    """The kinds in turn, a piece each, until all have `count`."""
    wanted = count or 1_000_000
    done = {kind: sum(int(number(n, "inputs")) for n in kept if n["what"] == kind) for kind in kinds or KINDS}
    turn = max((sum(n["what"] == kind for n in kept) for kind in KINDS), default=0)
    while any(have < wanted for have in done.values()):
        for kind, have in done.items():
            if (size := min(AT_ONCE, wanted - have)) > 0:
                yield piece(kind, turn, size)
                done[kind] += size
        turn += 1


def failures(kept: list[Line]) -> list[str]:
    """What failed and is not mended: the input that was kept of it is still not read as promised."""
    return [text for text in reported(kept) if not (found := _INPUT.match(text)) or _fails(*found.groups())]


def _fails(kind: str, name: str) -> bool:
    path = CORPUS / kind / name
    return not path.exists() or bool(fault(KINDS[kind], path.read_bytes())[0])


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """Kinds with what was read of them."""
    rows: list[tuple[str, ...]] = [
        ("kind", "inputs", "refused whole", "failed", "inputs per CPU s, last piece", "most MB held")
    ]
    for kind in KINDS:
        lines = [n for n in kept if n["what"] == kind]
        inputs, last = sum(number(n, "inputs") for n in lines), lines[-1:]
        rate = "".join(f"{number(n, 'inputs') / max(number(n, 'cpu_s'), 0.1):.0f}" for n in last)
        most = max((number(n, "mb") for n in lines), default=0)
        refused = sum(number(n, "refused") for n in lines)
        rows.append((kind, f"{inputs:,}", f"{refused:,}", str(len(failures(lines))), rate, f"{most:.0f}"))
    return rows


FIGURE = Figure(
    "fuzz",
    "Mutated inputs",
    f"10⁶ of each kind, none failed, none over {SECONDS:g} s of CPU or {MEMORY_MB} MB",
    run,
    table,
    failures,
    kinds=tuple(KINDS),
)
