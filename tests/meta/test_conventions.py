"""Conventions that fail with a sentence that says what to do."""

import ast
import re
import statistics
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = sorted(p for root in ("iosq", "parsers", "models", "toolkit") for p in (ROOT / root).rglob("*.py"))
LONGEST_FILE, LONGEST_FUNCTION = 500, 60
MOST_ANY = 180  # there were 495; what is left is values of rows, and imports for them


def _functions(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.FunctionDef):
            yield f"{path.relative_to(ROOT)}:{node.name}", (node.end_lineno or 0) - node.lineno + 1


def test_files_stay_short() -> None:
    long = {
        str(p.relative_to(ROOT)): n for p in SOURCES if (n := len(p.read_text("utf-8").splitlines())) > LONGEST_FILE
    }
    assert not long, f"split these files, over {LONGEST_FILE} lines: {long}"


def test_functions_stay_short() -> None:
    sizes = dict(f for p in SOURCES for f in _functions(p))
    long = {name: n for name, n in sizes.items() if n > LONGEST_FUNCTION}
    assert not long, f"split these functions, over {LONGEST_FUNCTION} lines: {long}"
    assert statistics.quantiles(sizes.values(), n=10)[-1] <= 30, "nine functions in ten should stay under 30 lines"


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: str(p.relative_to(ROOT)))
def test_modules_and_public_things_have_docstrings(path: Path) -> None:
    tree = ast.parse(path.read_text("utf-8"))
    assert ast.get_docstring(tree) or not tree.body, f"{path} needs a module docstring"
    for node in tree.body:
        public = isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_")
        assert not public or ast.get_docstring(node), f"{path}: {node.name} needs a docstring"  # type: ignore[attr-defined, arg-type]


def test_nothing_of_this_machine_is_named() -> None:
    words = "[/]tmp[/]wt|[/]work[/]|(pypi|crates|npmjs|pythonhosted)[.](org|io|com)|deb[.]debian[.]org"
    found = subprocess.run(["git", "grep", "-nIE", words], cwd=ROOT, capture_output=True, text=True, check=False)
    assert not found.stdout or found.stdout.startswith("tests/meta/"), found.stdout


def test_test_modules_have_names_of_their_own() -> None:
    names = [p.name for p in (ROOT / "tests").rglob("*.py") if not (p.parent / "__init__.py").exists()]
    twice = {n for n in names if names.count(n) > 1 and n != "conftest.py"}
    assert not twice, f"pytest imports test modules by their bare names; rename one of each: {sorted(twice)}"


def test_any_is_no_way_out() -> None:
    """A type that is known is written down; rows whose columns a query decides have a name in `toolkit/rows.py`."""
    used = sum(len(re.findall(r"\bAny\b", p.read_text("utf-8"))) for p in SOURCES)
    assert used <= MOST_ANY, f"{used} times Any where {MOST_ANY} were: say the type, or lower the bound with them"
