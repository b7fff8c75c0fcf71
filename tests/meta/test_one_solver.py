"""One definition each: the open solver, the closed solver, how many boxes a load needs."""

import ast
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
# the name of a function to the only modules that may ask it: questions are answered in one place
ASKED_BY = {
    "what_if_open": {"toolkit/predict/open_load.py", "toolkit/predict/pav_numbers.py"},
    "what_if_pool": {"toolkit/predict/open_load.py", "toolkit/predict/pav_numbers.py"},
    "what_if_closed": {
        "toolkit/predict/closed_load.py",
        "toolkit/predict/pav_numbers.py",
        "models/validate/zvm_pav.py",
        "models/validate/recommender.py",
    },
    "pool_readings": {"models/pav/open_answers.py"},
    "boxes_needed": {"toolkit/predict/migrate.py", "toolkit/advise/migrate.py"},
    "dealt": {"models/migrate/__init__.py", "toolkit/predict/migrate.py"},
}


@cache
def _modules() -> dict[str, list[ast.AST]]:
    """What our modules are made of, by path."""
    paths = [p for top in ("models", "parsers", "toolkit") for p in (ROOT / top).rglob("*.py")]
    return {str(p.relative_to(ROOT)): list(ast.walk(ast.parse(p.read_text("utf-8")))) for p in paths}


def _defined(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.name for node in nodes if isinstance(node, ast.FunctionDef)}


def _called(nodes: Iterable[ast.AST]) -> set[str]:
    return {node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}


def test_each_question_is_solved_in_one_place() -> None:
    defined = {path: _defined(nodes) for path, nodes in _modules().items()}
    called = {path: _called(nodes) for path, nodes in _modules().items()}
    for name, allowed in ASKED_BY.items():
        homes = [path for path, names in defined.items() if name in names]
        assert len(homes) == 1, f"{name} is defined in {homes}"
        asked = {path for path, names in called.items() if name in names}
        assert asked <= allowed, f"{name} is asked by {asked - allowed}: ask toolkit/predict instead"


def test_predictions_know_nothing_of_advice() -> None:
    for path, nodes in _modules().items():
        if path.startswith("toolkit/predict/"):
            named = [n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)]
            assert not [m for m in named if m.startswith("iosq.toolkit.advise")], path
