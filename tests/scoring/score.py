"""Counts true and false findings on days with one planted trouble per LCU and healthy neighbours.

python -m tests.scoring.score --seeds 100

With --random, on made-up sites of mixed length with random troubles and missing record types.
"""

import argparse
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.sample.day import Day, make_day
from iosq.toolkit.sample.planting import Planted, scenarios
from tests.days import PACKAGES
from tests.materialised import materialised
from tests.scoring import vm_trial
from tests.scoring.memory import lake
from tests.scoring.page import markdown
from tests.scoring.trial import try_sites

# sysplexes whose days are scored: one trouble in each LCU, and troubles that show against the past only
PLANS = ("clinic", "week")
# says where the time of all volumes goes, right on any day
GENERAL = frozenset(rule.code for rule in all_rules() if rule.general)


@dataclass
class Score:
    """Over the days scored: how often each situation got its finding, and findings nothing was planted for.

    A day is one seed in every plan.
    """

    days: int = 0
    found: Counter[str] = field(default_factory=Counter)
    false: list[tuple[int, Finding]] = field(default_factory=list)
    healthy: int = 0

    @property
    def missed(self) -> int:
        """Situations without their finding, all days."""
        return self.days * len(situations()) - self.found.total()

    @property
    def true(self) -> int:
        """Situations with their finding, all days."""
        return self.found.total()


def situations(plans: Iterable[str] = PLANS) -> dict[str, Planted]:
    """What is planted on a day, by scenario name; with the finding's name where a scenario plants several."""
    return {
        name if p is s.planted[0] else f"{name}.{p.finding}": p
        for plan in plans
        for name, s in scenarios(PACKAGES[plan]).items()
        for p in s.planted
    }


def about(finding: Finding, planted: Planted) -> bool:
    """Whether a finding names the planted subject."""
    return planted.subject in finding.subject.names


def findings(seed: int, plan: str = PLANS[0]) -> tuple[Day, list[Finding]]:
    """The day of a seed and what the rules find in it."""
    day = make_day(seed, plan=PACKAGES[plan])
    with materialised(lake(day), question_texts()) as con:
        return day, run(con)


def score(seeds: Iterable[int]) -> Score:
    """Score the rules on the days of these seeds."""
    total = Score()
    for seed in seeds:
        total.days += 1
        for plan in PLANS:
            _add(total, seed, plan)
    return total


def _add(total: Score, seed: int, plan: str) -> None:
    day, found = findings(seed, plan)
    planted, named = situations([plan]), [f for f in found if f.code not in GENERAL]
    for name, p in planted.items():
        total.found[name] += any(f.code == p.finding and about(f, p) for f in named)
    total.false += [(seed, f) for f in named if not _right(f, planted.values())]
    total.healthy += len(day.sysplex.volumes) - _troubled(day, planted.values())


def _right(finding: Finding, planted: Iterable[Planted]) -> bool:
    return any(finding.code in (p.finding, *p.also) and about(finding, p) for p in planted)


def _troubled(day: Day, planted: Iterable[Planted]) -> int:
    """Volumes that a planted situation is about."""
    plex, subjects = day.sysplex, {p.subject for p in planted}
    return sum(
        bool(subjects & {v.volser, plex.lcus[v.lcu].number, plex.boxes[v.box].serial.lstrip("0")}) for v in plex.volumes
    )


def lines(total: Score) -> Iterator[str]:
    """The score as text."""
    yield f"{'situation':28}  {'finding':20}  {'subject':8}  found on days"
    for name, p in situations().items():
        yield f"{name:28}  {p.finding:20}  {p.subject:8}  {total.found[name]:4} of {total.days}"
    yield f"true findings: {total.true} of {total.true + total.missed}; false findings: {len(total.false)}"
    yield f"healthy volume-days: {total.healthy}; of them named in a false finding: {_blamed(total)}"
    for seed, f in total.false[:20]:
        yield f"false, seed {seed}: {f.code}: {f.text}"


def _blamed(total: Score) -> int:
    return sum(f.subject.kind == "volume" for _, f in total.false)


def _random(chosen: argparse.Namespace) -> int:
    begun, keep = time.monotonic(), chosen.keep
    total = try_sites(chosen.random, chosen.first, keep)
    vm = try_sites(chosen.vm, chosen.first, keep and keep.with_name(f"{keep.name}.vm"), vm_trial.tried)
    text = markdown(total, vm)
    sys.stdout.write("\n".join([text, *total.remarks, *vm.remarks, ""]))
    if chosen.page is not None:
        chosen.page.write_text(text, "utf-8")
    sys.stderr.write(f"{chosen.random + chosen.vm} sites in {time.monotonic() - begun:.0f} s\n")
    return int(bool(total.remarks or vm.remarks))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the score; 1 if a situation was missed or a finding false."""
    parser = argparse.ArgumentParser(prog="python -m tests.scoring.score", description=__doc__)
    parser.add_argument("--seeds", type=int, default=5, help="days to score, seeds 1 to this")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--random", type=int, default=0, help="score on this many random sites in place of days")
    parser.add_argument("--vm", type=int, default=0, help="the same on this many random z/VM systems")
    parser.add_argument("--page", type=Path, help="with these: write the figures as a page")
    parser.add_argument("--keep", type=Path, help="with these: a file of outcomes; sites in it aren't tried again")
    chosen = parser.parse_args(arguments)
    begun = time.monotonic()
    if chosen.random or chosen.vm:
        return _random(chosen)
    total = score(range(chosen.first, chosen.first + chosen.seeds))
    sys.stdout.write("\n".join(lines(total)) + "\n")
    sys.stderr.write(f"{total.days} days in {time.monotonic() - begun:.0f} s\n")
    return int(bool(total.missed or total.false))


if __name__ == "__main__":
    sys.exit(main())
