"""Compares golden texts with those of an earlier commit, words removed: numbers and codes must be the same."""

import re
import subprocess
from collections.abc import Iterator
from difflib import SequenceMatcher

from tests.words.check import ROOT

FOLDERS = ("tests/golden", "tests/toolkit/advise/golden")
_NUMBER = re.compile(r"\d[\d.,:/-]*\d|\d")
_CODE = re.compile(r"\b[a-z]+(?:_[a-z]+)+\b")


def kept(line: str) -> list[str]:
    """Numbers and codes of a line, sorted, since a rewritten sentence may have them in another order."""
    return sorted([*_NUMBER.findall(line), *_CODE.findall(line)])


def differences(path: str, old: str, new: str) -> Iterator[str]:
    """Changed lines whose numbers or codes differ, and lines that came or went."""
    before, after = old.splitlines(), new.splitlines()
    for kind, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            changed = zip(before[first:last], after[start:end], strict=False)
            yield from (f"{path}: {a!r} became {b!r}" for a, b in changed if kept(a) != kept(b))
        if last - first != end - start:
            yield f"{path}:{start + 1}: {last - first} lines became {end - start}"


def since(revision: str) -> list[str]:
    """Differences of all golden texts to those of a commit."""

    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout

    changed = git("diff", "--name-only", revision, "--", *FOLDERS).split()
    texts = [path for path in changed if path.endswith((".txt", ".json"))]
    return [d for p in texts for d in differences(p, git("show", f"{revision}:{p}"), (ROOT / p).read_text("utf-8"))]
