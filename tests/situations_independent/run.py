"""Makes a situation's lake as a user would, asks for advice through the public interface, and judges the answer."""

import tempfile
from pathlib import Path

import iosq
import tests.situations_independent.forty
import tests.situations_independent.stories  # noqa: F401  (makes the situations known)
from iosq.types import Finding
from tests.situations_independent.dumps import write
from tests.situations_independent.expected import MAKERS, Outcome, Situation, judged
from tests.situations_independent.shop import Shop


def names() -> list[str]:
    """All situations."""
    return list(MAKERS)


def situation_called(name: str) -> Situation:
    """A situation by its name."""
    return MAKERS[name]()


def built(s: Situation, folder: Path) -> Path:
    """The lake of a situation, made in `folder` from its dumps unless it is there."""
    lake = folder / s.name / "lake"
    if not lake.exists():
        lake.parent.mkdir(parents=True, exist_ok=True)
        shop = s.shop
        files = write(shop, lake.parent, s.damage) if isinstance(shop, Shop) else shop.write(lake.parent)
        iosq.ingest(lake, files)
    return lake


def advice(lake: Path) -> tuple[list[Finding], list[Finding]]:
    """All findings, and those about aliases alone, as two commands give them."""
    opened = iosq.open(lake)
    return list(opened.findings()), list(opened.advise("pav"))


def tried(name: str, folder: Path | None = None) -> Outcome:
    """A situation from its story to the judgement."""
    s = situation_called(name)
    if folder:
        return judged(s, *advice(built(s, folder)))
    with tempfile.TemporaryDirectory() as made:
        return judged(s, *advice(built(s, Path(made))))
