"""The guide to a new rule, followed on a copy of the product that is thrown away."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
CODE = "slow_volume"
BLOCK = re.compile(r"^## [^`\n]*`([\w.]+)`\n+```\w+\n(.*?)^```", re.MULTILINE | re.DOTALL)
# asks two volumes, one of which is slow, and says what the copy knows of the rule
FOLLOW = f"""
import json
from advise_rows import database, volume
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.docs import markdown
from iosq.toolkit.advise.engine import run
from iosq.toolkit.sql.questions import shipped

rows = [volume(n, name, disc=disc) for n in range(3) for name, disc in (("SLOW01", 40.0), ("FAST01", 0.5))]
con = database(volume_interval=rows)
settings = {{"{CODE}": {{"response_ms": 50.0}}}}
print(json.dumps({{
    "rules": [r.code for r in all_rules()],
    "questions": [q.name for q in shipped()],
    "found": [[str(f.subject), f.lost_s] for f in run(con) if f.code == "{CODE}"],
    "above the site's own limit": [f.text for f in run(con, settings) if f.code == "{CODE}"],
    "page": "## {CODE}" in markdown() and "twice a read miss of a disk" in markdown(),
}}))
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product with a rule more, made of the guide's own blocks."""
    place = tmp_path_factory.mktemp("copy")
    for part in ("parsers", "models", "toolkit"):
        shutil.copytree(ROOT / part, place / "iosq" / part, ignore=shutil.ignore_patterns("__pycache__"))
    folder = place / "iosq" / "toolkit" / "advise" / "rules" / CODE
    folder.mkdir()
    (folder / "__init__.py").touch()
    blocks = BLOCK.findall((ROOT / "docs" / "guides" / "add-a-rule.md").read_text("utf-8"))
    assert [name for name, _ in blocks] == ["rule.toml", "query.sql", "judge.py"]
    for name, text in blocks:
        (folder / name).write_text(text, "utf-8")
    return place


def follow(copy: Path, *arguments: str) -> str:
    path = os.pathsep.join([str(copy), str(ROOT / "tests" / "toolkit" / "advise")])
    done = subprocess.run(
        [sys.executable, *arguments], cwd=copy, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_folder_is_all_a_rule_needs(copy: Path) -> None:
    told = json.loads(follow(copy, "-c", FOLLOW))
    assert CODE in told["rules"] and CODE in told["questions"] and told["page"]
    # 100 I/Os a second take 40.5 ms instead of 20, for 3 quarter hours
    assert told["found"] == [["SLOW01 on SYSA", pytest.approx(100 * 0.0205 * 2700)]]
    assert told["above the site's own limit"] == []


def test_the_new_rule_is_described(copy: Path) -> None:
    shown = follow(copy, "-c", "from iosq.toolkit.cli.main import run; run()", "describe", CODE)
    assert "A volume is slow." in shown and "HAVING sum" in shown
    assert "| `response_ms` | 20 ms | mean response of the span |" in shown
