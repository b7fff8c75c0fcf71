"""Random sites with random troubles and what the rules find there: recall, precision, and what confidence is worth."""

import json
import math
from collections import Counter
from collections.abc import Iterator, Sequence
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


def try_sites(count: int, first: int = 1, keep: Path | None = None) -> Tally:
    """This many sites, seeds from `first` on.

    Args:
        count: how many.
        first: first seed.
        keep: a file with a line per site: those that are in it aren't tried again, new ones are added at once.
    """
    total, seeds = Tally(), range(first, first + count)
    kept = _kept(keep)
    for outcome in (o for seed, o in kept.items() if seed in seeds):
        total.add(outcome)
    for seed in (seed for seed in seeds if seed not in kept):
        outcome = _tried(seed)
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
    rng = np.random.default_rng(seed)
    site, missing, planted = random_site(rng)
    with lake(tables(site, {missing}), question_texts()) as con:
        found = [f for f in run(con) if f.code not in GENERAL]
    outcome = Outcome(seed, f"{site.days:g}")
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


def bounds(right: int, all_of: int) -> tuple[float, float]:
    """95 % interval of a share (Wilson, 1927)."""
    if not all_of:
        return 0.0, 1.0
    z, share = 1.96, right / all_of
    middle, half = share + z * z / (2 * all_of), z * math.sqrt(share * (1 - share) / all_of + (z / (2 * all_of)) ** 2)
    return max((middle - half) / (1 + z * z / all_of), 0.0), min((middle + half) / (1 + z * z / all_of), 1.0)


def markdown(total: Tally) -> str:
    """The page of figures."""
    return "\n".join([*_head(total), *_recall(total), *_precision(total), *_confidence(total), ""])


def _head(total: Tally) -> Iterator[str]:
    lengths = ", ".join(
        f"{n} of {d} day{'' if d == '1' else 's'}" for d, n in sorted(total.lengths.items(), key=lambda p: float(p[0]))
    )
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
    yield f"python -m tests.scoring.score --random {total.sites} --page docs/reference/advice-quality.md"
    yield "```"
    yield ""


def _recall(total: Tally) -> Iterator[str]:
    yield "## Problems found"
    yield ""
    yield "| Problem | Records | Planted | Found | Interval |"
    yield "|---|---|---|---|---|"
    for key, count in sorted(total.called.items()):
        yield f"| {key[0].replace('_', ' ')} | {key[1]} | {count} | {_share(total.found[key], count)} |"
    yield f"| all | | {total.called.total()} | {_share(total.found.total(), total.called.total())} |"
    yield ""
    yield (
        "*With its records* are sites that have the records of the problem. On other sites only the finding that names "
        f"the missing record is required: {total.unknown_named} of {total.unknown} findings with an unknown effect "
        "name it."
    )
    yield ""


def _precision(total: Tally) -> Iterator[str]:
    yield "## Correct findings"
    yield ""
    yield "| Rule | Findings | Correct | Interval |"
    yield "|---|---|---|---|"
    for code in sorted(total.right.keys() | total.wrong.keys()):
        count = total.right[code] + total.wrong[code]
        yield f"| `{code}` | {count} | {_share(total.right[code], count)} |"
    count = total.right.total() + total.wrong.total()
    yield f"| all | {count} | {_share(total.right.total(), count)} |"
    yield ""


def _confidence(total: Tally) -> Iterator[str]:
    yield "## Confidence"
    yield ""
    yield "| Confidence | Findings | Correct | Interval |"
    yield "|---|---|---|---|"
    for word in ("high", "medium", "low"):
        count = total.sure_right[word] + total.sure_wrong[word]
        yield f"| {word} | {count} | {_share(total.sure_right[word], count)} |"


def _share(right: int, count: int) -> str:
    low, high = bounds(right, count)
    return f"{100 * right / count:.1f} % | {100 * low:.1f} to {100 * high:.1f} %" if count else "- | -"
