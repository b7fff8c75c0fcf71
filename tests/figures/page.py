"""The page about trust, from what long runs have kept."""

import importlib
from collections.abc import Iterator

from tests.figures.kept import Figure, Kept, Line

_HEAD = """# What can be trusted, in figures

Every figure here was printed by a command of this repository and is kept in `tests/figures/kept.jsonl`. It is shown
with the number of runs made, which may be less than its goal. Every test run includes a short form of each.

```sh
python -m tests.figures --keep tests/figures/kept.jsonl          # all figures, continuing the last run
python -m tests.figures kills --count 20                         # one figure, 20 times, without keeping it
python -m tests.figures --page docs/reference/trust.md           # this page, from the kept results
```

"""


# failures that the page lists; more are counted
_MOST = 10


def markdown(kept: Kept, names: tuple[str, ...]) -> str:
    """`docs/reference/trust.md`."""
    return _HEAD + "\n".join("\n".join(_section(name, kept)) for name in names)


def _section(name: str, kept: Kept) -> Iterator[str]:
    module = importlib.import_module(f"tests.figures.{name}")
    figure: Figure = module.FIGURE
    lines = kept.lines(name)
    yield f"## {figure.title}\n"
    yield f"Promise: {figure.promise}. Command: `python -m tests.figures {name}`.\n"
    yield f"{(module.__doc__ or '').strip()}\n"
    yield from _table(figure, lines) if lines else ["Not run yet.\n"]


def _table(figure: Figure, lines: list[Line]) -> Iterator[str]:
    head, *rows = figure.table(lines)
    yield f"| {' | '.join(head)} |\n|{'---|' * len(head)}"
    yield from (f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |" for row in rows)
    yield ""
    failed = figure.failures(lines)
    if len(failed) > _MOST:
        yield f"Failures: {len(failed)}, all in `tests/figures/kept.jsonl`.\n"
    elif failed:
        yield "Failures:\n"
        yield from (f"- {text}" for text in failed)
        yield ""
