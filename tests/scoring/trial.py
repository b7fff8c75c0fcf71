"""Random sites with random troubles and what the rules find there: recall, precision, and what confidence is worth."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding
from tests.scoring.measured import tables
from tests.scoring.site import EACH, LCUS, Site, volume_name
from tests.scoring.tables import lake
from tests.scoring.troubles import CACHE, CHANNEL, IDLE, KINDS, QUEUING, RANKS, Kind, span

# days and seconds of an interval: from a shift to a month
LENGTHS = ((0.5, 900), (1, 900), (1, 1800), (2, 900), (3, 900), (7, 1800), (12, 3600), (14, 3600), (30, 3600))
# most sites collect all; some lack one record type
LACKS = ("", "", "", "", CACHE, QUEUING, CHANNEL, RANKS)
GENERAL = frozenset(rule.code for rule in all_rules() if rule.general)
NAMED_RECORD = ("type 7", "types 7", "74.", "78.", "I/O queuing", "cache record")


@dataclass(frozen=True)
class Planted:
    """A trouble of a site: its kind and the names of what it is about."""

    kind: Kind
    names: frozenset[str]

    def called_for(self, missing: str) -> frozenset[str]:
        """Findings, one has to come without a record type; none: nothing has to."""
        return self.kind.instead if missing in self.kind.needs else self.kind.expects

    def is_about(self, f: Finding) -> bool:
        """Whether a finding names the same place."""
        return bool(self.names & set(f.subject.names))

    def allows(self, f: Finding) -> bool:
        """Whether a finding is right about it."""
        return f.code in self.kind.expects | self.kind.also | self.kind.instead and self.is_about(f)


@dataclass
class Tally:
    """What came out of all sites: counts by kind, by rule and by word of confidence; `false` for people to read."""

    sites: int = 0
    lengths: Counter[str] = field(default_factory=Counter)
    called: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    wrong: Counter[str] = field(default_factory=Counter)
    sure_right: Counter[str] = field(default_factory=Counter)
    sure_wrong: Counter[str] = field(default_factory=Counter)
    unknown: int = 0
    unknown_named: int = 0
    remarks: list[str] = field(default_factory=list)

    def add(self, outcome: "Outcome") -> None:
        """Count a site."""
        self.sites += 1
        self.lengths[outcome.days] += 1
        for trouble, records, is_found in outcome.called:
            self.called[trouble, records] += 1
            self.found[trouble, records] += is_found
        for code, confidence, is_right in outcome.stated:
            (self.right if is_right else self.wrong)[code] += 1
            (self.sure_right if is_right else self.sure_wrong)[confidence] += 1
        self.unknown += len(outcome.unknown)
        self.unknown_named += sum(outcome.unknown)
        self.remarks += outcome.remarks


@dataclass
class Outcome:
    """What came out of one site; plain values, so that it can be kept in a file.

    called: trouble, with or without the records that show it, whether it was found; stated: rule, confidence, whether
    it was right; unknown: of each finding with an unknown effect, whether it names the missing record.
    """

    seed: int
    days: str
    called: list[tuple[str, str, bool]] = field(default_factory=list)
    stated: list[tuple[str, str, bool]] = field(default_factory=list)
    unknown: list[bool] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)


def try_sites(
    count: int, first: int = 1, keep: Path | None = None, tried: "Callable[[int], Outcome] | None" = None
) -> Tally:
    """This many sites, seeds from `first` on.

    Args:
        count: how many.
        first: first seed.
        keep: a file with a line per site: those that are in it aren't tried again, new ones are added at once.
        tried: makes and judges the site of a seed; z/OS sites by default.
    """
    total, seeds = Tally(), range(first, first + count)
    kept = _kept(keep)
    for outcome in (o for seed, o in kept.items() if seed in seeds):
        total.add(outcome)
    for seed in (seed for seed in seeds if seed not in kept):
        outcome = (tried or _tried)(seed)
        total.add(outcome)
        if keep is not None:
            with keep.open("a", encoding="utf-8") as file:
                file.write(json.dumps(asdict(outcome)) + "\n")
    return total


def _kept(file: Path | None) -> dict[int, Outcome]:
    if file is None or not file.exists():
        return {}
    read = (Outcome(**json.loads(line)) for line in file.read_text("utf-8").splitlines())
    return {outcome.seed: outcome for outcome in read}


def _tried(seed: int) -> Outcome:
    site, missing, planted = random_site(np.random.default_rng(seed))
    with lake(tables(site, {missing}), question_texts()) as con:
        return judged(seed, f"{site.days:g}", planted, [f for f in run(con) if f.code not in GENERAL], missing)


def judged(seed: int, days: str, planted: Sequence[Planted], found: Sequence[Finding], missing: str = "") -> Outcome:
    """What came out of the site of a seed, by what was planted and what was found."""
    outcome = Outcome(seed, days)
    for p in planted:
        _called(outcome, p, found, missing)
    for f in found:
        _stated(outcome, f, any(p.allows(f) for p in planted), missing)
    return outcome


def random_site(rng: np.random.Generator) -> tuple[Site, str, list[Planted]]:
    """A site of any length with none, one or two troubles, and the record type that was not collected, if any."""
    days, interval_s = LENGTHS[int(rng.integers(len(LENGTHS)))]
    site, missing = Site(interval_s, int(days * 86400 // interval_s), rng), str(rng.choice(LACKS))
    planted = [_plant(site, rng) for _ in range(int(rng.choice(3, p=(0.15, 0.6, 0.25))))]
    return site, missing, [p for p in planted if not _is_undone(site, p)]


def _is_undone(site: Site, p: Planted) -> bool:
    """Whether a volume is not idle after all, because another trouble gives it work."""
    mine = [v for v in range(LCUS * EACH) if volume_name(v) in p.names]
    return p.kind.name == "idle" and bool(site.rate[:, mine].max() > IDLE)


def _plant(site: Site, rng: np.random.Generator) -> Planted:
    kind = KINDS[int(rng.choice([n for n, k in enumerate(KINDS) if k.least_days <= site.days]))]
    least = 24 * (kind.least_days - 1) if kind.least_days > 1 else 0.0
    begin = float(rng.uniform(least, max(24 * site.days - 5, least)))
    when = span(site, begin, float(rng.uniform(2, 5)), daily=bool(rng.random() < 0.3) and kind.least_days < 1)
    return Planted(kind, kind.plant(site, when))


def _called(outcome: Outcome, p: Planted, found: Sequence[Finding], missing: str) -> None:
    wanted = p.called_for(missing)
    if not wanted:
        return
    is_found = any(f.code in wanted and p.is_about(f) for f in found)
    outcome.called.append(
        (p.kind.name, "without its records" if missing in p.kind.needs else "with its records", is_found)
    )
    if not is_found:
        where = f"seed {outcome.seed}, without {missing or 'nothing'}"
        outcome.remarks.append(f"missed, {where}: {p.kind.name} at {', '.join(sorted(p.names)[:3])}")


def _stated(outcome: Outcome, f: Finding, is_right: bool, missing: str) -> None:
    outcome.stated.append((f.code, f.confidence, is_right))
    if not is_right:
        outcome.remarks.append(f"false, seed {outcome.seed}, without {missing or 'nothing'}: {f.code}: {f.text}")
    if f.aliases and f.aliases.verdict == "cant_tell" and f.code == "hyperpav_wait":
        outcome.unknown.append(any(name in f.whole_text + f.advice for name in NAMED_RECORD))
