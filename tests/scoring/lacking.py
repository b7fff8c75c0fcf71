"""The law that fewer records make advice say less, not something else: a site with and without each record type.

python -m tests.scoring.lacking --runs 20
"""

import argparse
import re
import sys
from collections.abc import Collection, Iterator, Sequence

import numpy as np

from iosq.toolkit.advise.catalog import question_texts
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Finding, Verdict
from iosq.toolkit.advise.subject import Subject
from tests.scoring.measured import tables
from tests.scoring.site import Site
from tests.scoring.tables import lake
from tests.scoring.trial import GENERAL, random_site
from tests.scoring.troubles import CACHE, CHANNEL, QUEUING, RANKS

TYPES = (CACHE, CHANNEL, QUEUING, RANKS)
# what "unknown" has to name: a record, or what else would settle it
SETTLES = re.compile(r"\b7[0-9]|74\.|--machine|measure once")
Place = tuple[str, str, str]


def stated(site: Site, without: Collection[str]) -> list[Finding]:
    """What all rules say of a site, measured without some record types."""
    with lake(tables(site, without), question_texts()) as con:
        return [f for f in run(con) if f.code not in GENERAL]


def broken(whole: Sequence[Finding], less: Sequence[Finding]) -> Iterator[str]:
    """What is wrong with findings made from fewer records, next to those from all.

    High confidence in what all records don't say, or explain by another cause; aliases to add where they say that
    aliases won't help; "unknown" without the record that would.
    """
    known = {place for f in whole for place in _places(f)}
    explained = {place for f in whole for code, s in f.covers for place in _named(code, s)}
    # two troubles of one place may need both
    useless = _reported(whole, "wont_help") - _reported(whole, "add")
    for f in less:
        if f.confidence == "high" and not _places(f) & (known - explained):
            yield f"sure of what all records don't say: {f.code}: {f.text}"
        verdict = f.aliases.verdict if f.aliases else None
        if verdict == "add" and f.confidence != "low" and useless & set(f.subject.names):
            yield f"aliases to add that will not help: {f.code}: {f.text}"
        if verdict == "cant_tell" and not SETTLES.search(f"{f.whole_text} {f.advice}"):
            yield f"unknown, without what would settle it: {f.code}: {f.text}"


def _reported(found: Sequence[Finding], verdict: Verdict) -> set[str]:
    """Names that some finding says this about aliases of."""
    return {name for f in found if f.aliases and f.aliases.verdict == verdict for name in f.subject.names}


def _places(f: Finding) -> set[Place]:
    return _named(f.code, f.subject)


def _named(code: str, s: Subject) -> set[Place]:
    kind = "volume" if s.kind == "volumes" else s.kind
    return {(code, kind, name) for name in s.names}


def main(arguments: Sequence[str] | None = None) -> int:
    """Look for counter-examples; 1 if there is one."""
    parser = argparse.ArgumentParser(prog="python -m tests.scoring.lacking", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="sites to try")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    chosen, found = parser.parse_args(arguments), 0
    for seed in range(chosen.first, chosen.first + chosen.runs):
        site, *_ = random_site(np.random.default_rng(seed))
        whole = stated(site, ())
        for missing in TYPES:
            for text in broken(whole, stated(site, {missing})):
                found += 1
                sys.stdout.write(f"seed {seed}, without {missing}: {text}\n")
                sys.stdout.flush()
    sys.stdout.write(f"{chosen.runs} sites, {found} against the law\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
