"""The `questions` of a rule's `rule.toml`: queries of its own folder, else of the shared `evidence`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files

from iosq.toolkit.predict import evidence
from iosq.toolkit.predict.thresholds import insist
from iosq.toolkit.sql.questions import Question, load

SHARED = evidence.__name__


def questions(names: Sequence[str], package: str, place: str) -> Mapping[str, Question]:
    """The queries of these names.

    Args:
        names: files without their ending.
        package: the rule's folder.
        place: its name in errors.

    Raises:
        LakeError: there is no such file.
    """
    own = {f.name.removesuffix(".sql") for f in files(package).iterdir()}
    shared = {f.name.removesuffix(".sql") for f in files(SHARED).iterdir()}
    insist(set(names) - own - shared, "knows no question", place)
    return {name: load(package if name in own else SHARED, f"{name}.sql") for name in names}
