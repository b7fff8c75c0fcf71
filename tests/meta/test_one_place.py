"""A query over views stands in a .sql file, and one view defines boxes and intervals."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOLKIT = ROOT / "toolkit"
# more than SELECT … FROM a view WHERE …
_COMPOSED = re.compile(r"\bJOIN\s|\bGROUP BY\s|\bUNION\s|\bOVER \(|\bAS \(\s*SELECT\b")
_READS = re.compile(r"\bFROM\s", re.IGNORECASE)
# these show a user a statement to try
EXAMPLES = frozenset(["cli/commands/demo.py", "cli/commands/sql.py"])


def _texts(file: Path) -> list[str]:
    return [n.value for n in ast.walk(ast.parse(file.read_text("utf-8")))
            if isinstance(n, ast.Constant) and isinstance(n.value, str)]  # fmt: skip


def _composes(file: Path) -> bool:
    return any(_COMPOSED.search(text) and (_READS.search(text) or "SELECT" in text) for text in _texts(file))


def test_no_new_module_composes_sql_over_views() -> None:
    # the engine itself makes and copies views, and asks the manifest, which is no view
    made = {p.relative_to(TOOLKIT).as_posix() for p in TOOLKIT.rglob("*.py") if _composes(p)}
    assert {name for name in made if not name.startswith(("sql/", "lake/", "anonymize/copy"))} - EXAMPLES == set()


def test_one_view_says_what_box_and_interval_a_row_belongs_to() -> None:
    views = {p.name: p.read_text("utf-8") for p in (TOOLKIT / "sql").rglob("*.sql")}
    assert [name for name, text in views.items() if "'LCU ' || o.lcu, o.system" in text] == ["volume_home.sql"]
    assert [name for name, text in views.items() if "'group ' || " in text] == ["lcu_alias_interval.sql"]
    assert [name for name, text in views.items() if "+ 30000000) / 60000000" in text] == []
