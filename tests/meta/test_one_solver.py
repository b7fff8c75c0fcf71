"""One definition each: the open solver, the closed solver, how many boxes a load needs."""

from __future__ import annotations

import ast
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
    "what_if_closed_pool": {"toolkit/predict/closed_load.py", "toolkit/predict/pav_numbers.py"},
    "pool_readings": {"models/pav/open_answers.py"},
    "boxes_needed": {"toolkit/predict/migrate.py", "toolkit/advise/migrate.py"},
    "dealt": {"models/migrate/forecast.py", "toolkit/predict/migrate.py"},
}


def _modules() -> dict[str, ast.Module]:
    paths = [p for top in ("models", "parsers", "toolkit") for p in (ROOT / top).rglob("*.py")]
    return {str(p.relative_to(ROOT)): ast.parse(p.read_text("utf-8")) for p in paths}


def _calls(tree: ast.Module) -> set[str]:
    called = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return {f.id for f in called if isinstance(f, ast.Name)}


def test_each_question_is_solved_in_one_place() -> None:
    modules = _modules()
    for name, allowed in ASKED_BY.items():
        homes = [
            path
            for path, tree in modules.items()
            if any(isinstance(node, ast.FunctionDef) and node.name == name for node in ast.walk(tree))
        ]
        assert len(homes) == 1, f"{name} is defined in {homes}"
        asked = {path for path, tree in modules.items() if name in _calls(tree)}
        assert asked <= allowed, f"{name} is asked by {asked - allowed}: ask toolkit/predict instead"


def test_predictions_know_nothing_of_advice() -> None:
    for path, tree in _modules().items():
        if path.startswith("toolkit/predict/"):
            named = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
            assert not [m for m in named if m.startswith("iosq.toolkit.advise")], path
