"""The page of figures about advice: what of made-up troubles is found, and how many findings are right."""

import math
from collections.abc import Iterator

from iosq.toolkit.show.numbers import plural
from tests.scoring.trial import Tally


def bounds(right: int, all_of: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson, 1927)."""
    if not all_of:
        return 0.0, 1.0
    z, share = 1.96, right / all_of
    middle, half = share + z * z / (2 * all_of), z * math.sqrt(share * (1 - share) / all_of + (z / (2 * all_of)) ** 2)
    return max((middle - half) / (1 + z * z / all_of), 0.0), min((middle + half) / (1 + z * z / all_of), 1.0)


def markdown(total: Tally, vm: Tally) -> str:
    """The page of figures: of z/OS sites, then of z/VM systems."""
    zos = [*_head(total, vm), *_recall(total), *_note(total), *_precision(total), *_confidence(total), ""]
    return "\n".join([*zos, *_vm_head(vm), *_recall(vm, " on z/VM"), *_precision(vm, " on z/VM")])


def _lengths(total: Tally) -> str:
    return ", ".join(
        f"{n} of {plural(round(24 * d), 'hour') if d < 1 else plural(round(d), 'day')}"
        for d, n in sorted((float(days), n) for days, n in total.lengths.items())
    )


def _vm_head(vm: Tally) -> Iterator[str]:
    yield "## z/VM"
    yield ""
    yield (
        f"Measured on {vm.sites} made-up z/VM systems ({_lengths(vm)}) of 15 to 17 volumes, with none, one or two of "
        "the problems below or of what only looks like one: a backup, volumes that minidisk cache answers for, busy "
        "adapters and tapes, four times the load. Each is written as pages of Performance Toolkit (FCX108, FCX109) or "
        "as a MONWRITE file, and read by `iosq ingest`."
    )
    yield ""


def _head(total: Tally, vm: Tally) -> Iterator[str]:
    lengths = _lengths(total)
    yield "# How good the advice is"
    yield ""
    yield (
        f"Measured on {total.sites} made-up sites ({lengths}) with none, one or two problems each, at any hour, once "
        "or every day. Half of the sites lack one of the record types 73, 74.5, 74.8 and 78.3. The sites are made from "
        "queueing theory and reports of practitioners (`tests/scoring`), not from the rules' thresholds. "
        "They are given to the rules as rows of the promised views: two systems, four LCUs, sixteen volumes. "
        "Shares have 95 % intervals (Wilson)."
    )
    yield ""
    yield (
        "This command makes the page, and prints every miss and every false finding. With `--keep FILE` a "
        "long run can be continued:"
    )
    yield ""
    yield "```sh"
    command = f"python -m tests.scoring.score --random {total.sites} --vm {vm.sites}"
    yield f"{command} --page docs/reference/advice-quality.md"
    yield "```"
    yield ""


def _recall(total: Tally, of: str = "") -> Iterator[str]:
    yield from _table(f"Problems found{of}", "Problem | Records | Planted | Found | Interval")
    for key, count in sorted(total.called.items()):
        yield f"| {key[0].replace('_', ' ')} | {key[1]} | {count} | {_share(total.found[key], count)} |"
    yield f"| all | | {total.called.total()} | {_share(total.found.total(), total.called.total())} |"
    yield ""


def _note(total: Tally) -> Iterator[str]:
    yield (
        "*With its records* are sites that have the records of the problem. On other sites only the finding that names "
        f"the missing record is required: {total.unknown_named} of {total.unknown} findings with an unknown effect "
        "name it."
    )
    yield ""


def _precision(total: Tally, of: str = "") -> Iterator[str]:
    yield from _table(f"Correct findings{of}", "Rule | Findings | Correct | Interval")
    for code in sorted(total.right.keys() | total.wrong.keys()):
        yield _correct(f"`{code}`", total.right[code], total.wrong[code])
    yield _correct("all", total.right.total(), total.wrong.total())
    yield ""


def _confidence(total: Tally) -> Iterator[str]:
    yield from _table("Confidence", "Confidence | Findings | Correct | Interval")
    for word in ("high", "medium", "low"):
        yield _correct(word, total.sure_right[word], total.sure_wrong[word])


def _table(title: str, names: str) -> Iterator[str]:
    """The head of a table, its columns separated by |."""
    yield from (f"## {title}", "", f"| {names} |", f"|{'---|' * len(names.split('|'))}")


def _correct(of: str, right: int, wrong: int) -> str:
    return f"| {of} | {right + wrong} | {_share(right, right + wrong)} |"


def _share(right: int, count: int) -> str:
    low, high = bounds(right, count)
    return f"{100 * right / count:.1f} % | {100 * low:.1f} to {100 * high:.1f} %" if count else "- | -"
