"""Two systems with the same trouble at the same time: one cause is looked for first, and one box is one finding."""

import datetime as dt

import pytest
from advise_rows import Row, database, volume

from iosq.toolkit.advise.causes import LIMITS
from iosq.toolkit.advise.engine import run
from iosq.toolkit.advise.finding import Aliases, Finding
from iosq.toolkit.advise.grouped import OF_ALL, grouped
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import Subject
from iosq.toolkit.advise.window import Episode

BAD, SPAN = range(8, 12), range(24)


def slow(system: str, prefix: str, late: range = BAD, disc: float = 6.0) -> list[Row]:
    """Eight volumes of a z/VM system without cache records that disconnect for longer."""
    own: Row = {"platform": "z/VM", "system": system, "lcu": None, "exposures": 1.0}
    return [
        volume(n, f"{prefix}{v:03}", rate=70.0, disc=disc if n in late else 0.3, **own) for n in SPAN for v in range(8)
    ]


def found(*rows: list[Row]) -> list[Finding]:
    with database(volume_interval=[r for each in rows for r in each]) as con:
        return [f for f in run(con) if f.code == "disc_unexplained"]


def test_volumes_of_two_systems_are_one_finding() -> None:
    (f,) = found(slow("VMA", "SHV"), slow("VMB", "SHV"))
    assert f.text.endswith("also on VMB") or f.text.endswith("also on VMA")
    assert f.effect and f.effect.what.startswith("response of 8 volumes on VM")


@pytest.mark.parametrize(
    ("late", "is_linked"), [(BAD, True), (range(8, 14), False), (range(4, 12), False), (range(15, 19), False)]
)
def test_volumes_elsewhere_with_the_same_hours_are_looked_at_after_the_first(late: range, is_linked: bool) -> None:
    (first, second) = found(slow("VMA", "AAA", disc=9.0), slow("VMB", "BBB", late))
    assert "at the same time" not in first.advice
    assert ("See first what is found about" in second.advice and "at the same time" in second.advice) == is_linked


def test_systems_that_lack_aliases_of_one_lcu_at_different_hours_are_one_finding() -> None:
    """Those defined for the one that needs most serve the others, too."""

    def dry(name: str, likely: int, hour: int) -> Finding:
        start = dt.datetime(2026, 3, 2, hour)
        when = Episode(start, start + dt.timedelta(hours=1), 4, 1)
        advice, aliases = f"Define {likely} more aliases", Aliases("add", 2, likely, likely, likely)
        subject = Subject("lcu", ("0010",), (name,))
        known = {"lost_s": 60.0, "code": "alias_pool_dry", "form": "dry", "when": when, "aliases": aliases}
        return Finding("act", subject, f"Dry on {name}", advice, (), "", **known)  # type: ignore[arg-type]

    (f,) = grouped([dry("SYSA", 3, 9), dry("SYSB", 5, 11), dry("SYSC", 4, 14)], Places([]), LIMITS.limits())
    assert f.advice == f"Define 5 more aliases. {OF_ALL}" and f.text == "Dry on SYSB; also on SYSC and SYSA"
    assert "Define" not in f.details
