"""The tests nearest to a file: those of the folder that mirrors its own, the ones that name it first."""

import re
from functools import cache
from pathlib import Path

# folders whose tests stand elsewhere
ELSEWHERE = {"parsers/rmfxml": ("tests/parsers/rmf",), "models/hardware": ("tests/models",)}
# what holds every answer against what it was, on planted days and over the sample: asked first
_PLANTED = (
    "tests/toolkit/advise/test_advise_score.py::test_every_view_gives_the_same_as_before",
    "tests/toolkit/advise/test_advise_score.py::test_every_question_gives_the_same_as_before",
    "tests/toolkit/advise/test_advise_score.py::test_every_finding_gives_the_same_as_before",
    "tests/toolkit/advise/test_advise_score.py::test_every_verdict_gives_the_same_as_before",
)
_SAMPLE = ("tests/toolkit/sql/test_golden.py::test_every_view_gives_the_same_as_before",)
_MODELS = (
    "tests/models/test_same_as_before.py::test_machine_files_have_the_sizes_that_the_study_gives",
    "tests/models/test_same_as_before.py::test_every_study_is_answered_as_before",
    "tests/models/test_same_as_before.py::test_every_box_has_the_rates_it_had_before",
    "tests/models/test_same_as_before.py::test_every_what_if_is_answered_as_before",
)
UNCHANGED = {
    "toolkit/advise": (_PLANTED,), "toolkit/sql": (_SAMPLE, _PLANTED), "toolkit/predict": (_MODELS, _PLANTED),
    "models": (_MODELS,),
}  # fmt: skip
FAR = ("tests/meta", "tests/docs", "tests/toolkit/spark", "tests/figures", "tests/fuzz", "tests/situations_independent")
MOST_WIDER = 6


def names(path: Path) -> list[str]:
    """What a test may call a file by: its own name, or that of its folder (views of sources, rules, records)."""
    plain = {"reader", "__init__", "query", "judge", "rule", "record", "header", "product"}
    of_folder = path.parent.parent.name in ("views", "rules", "layouts")
    return [n for n in (path.stem, path.parent.name if of_folder else "") if n and n not in plain]


def nearest(path: Path, root: Path) -> list[Path]:
    """Test files for a file (relative to the root): its folder's, then others that name it; the nearest first."""
    folders = _folders(path, root)
    known = texts(root)
    words = re.compile("|".join(rf"\b{re.escape(n)}\b" for n in names(path)) or r"(?!)")
    reported = {p: len(words.findall(text)) for p, text in known.items()}
    near = [p for p in known if p.parent in folders]
    wider = sorted((p for p in known if p not in near and reported[p]), key=lambda p: -reported[p])[:MOST_WIDER]
    return sorted(near, key=lambda p: (-reported[p], p)) + wider


def _folders(path: Path, root: Path) -> set[Path]:
    """The folder under `tests` that mirrors the file's, with what is below it."""
    here = path.parent
    while str(here) not in ELSEWHERE and not any((root / "tests" / here).glob("test_*.py")) and here.parts[1:]:
        here = here.parent
    starts = ELSEWHERE.get(str(here), (f"tests/{here}",))
    return {f for s in starts for f in ((root / s), *(p for p in (root / s).rglob("*") if p.is_dir()))}


@cache
def texts(root: Path) -> dict[Path, str]:
    """All test files that answers may fail in, with their text."""
    found = sorted((root / "tests").rglob("test_*.py"))
    return {p: p.read_text("utf-8") for p in found if not p.relative_to(root).as_posix().startswith(FAR)}
