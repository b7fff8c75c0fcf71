"""Work that ends later from night to night is named in the findings about hours that it runs into."""

import datetime as dt
from collections.abc import Sequence

import pytest
from advise_rows import at, database, volume

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.causes import LIMITS
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.overrun import named
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import volume as volume_named
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.sql.questions import ask

RULES = {r.code: r for r in all_rules()}
# hours after 08:00 UTC, which is 09:00 local time
GROWING = (3, 4, 5, 6, 7, 8)


def seen(hours: Sequence[int], begins: int, severity: str = "act", system: str = "SYSA") -> Finding:
    """A finding about an hour of the last night; work on a volume of SYSA takes these hours, night by night."""
    rows = [
        volume(96 * day + 4 * (12 + n), name, rate=rate, interval_s=3600.0, system=where)
        for day, length in enumerate(hours) for n in range(12)
        for name, where, rate in (("BAK001", "SYSA", 500.0 if n < length else 1.0), ("ONL001", system, 50.0))
    ]  # fmt: skip
    start = at(96 * (len(hours) - 1) + 4 * (12 + begins)) + dt.timedelta(hours=1)
    when = Episode(start, start + dt.timedelta(hours=1), 1, 1)
    f = Finding(severity, volume_named("ONL001", system), "It waits", "Look at it", (), "", 1.0, when=when)  # type: ignore[arg-type]
    with database(volume_interval=rows) as con:
        places = Places(ask(con, RULES["volumes_moved"].question).to_pylist())
        return named(con, [f], places, LIMITS.limits())[0]


def test_work_that_arrived_in_these_hours_is_named_with_its_days() -> None:
    found = seen(GROWING, 6)
    assert found.details == (
        "The work on BAK001 grows: it ended at 00:00 on 2026-03-03, at 05:00 on 2026-03-08. "
        "It has run into these hours since 2026-03-07"
    )
    assert found.advice.startswith("Shorten or move the work that runs into these hours: that on BAK001. If that does")


@pytest.mark.parametrize(
    ("hours", "begins", "severity", "system"),
    [
        pytest.param(GROWING, 2, "act", "SYSA", id="its own hours"),
        pytest.param(GROWING, 9, "act", "SYSA", id="not yet"),
        pytest.param(GROWING, 6, "note", "SYSA", id="a note"),
        pytest.param(GROWING, 6, "act", "SYSB", id="other storage"),
        pytest.param((8,) * 6, 6, "act", "SYSA", id="always"),
        pytest.param((3, 8, 4, 3, 5, 8), 6, "act", "SYSA", id="up and down"),
        pytest.param(GROWING[-4:], 6, "act", "SYSA", id="few days"),
    ],
)
def test_other_findings_stay_as_they_are(hours: Sequence[int], begins: int, severity: str, system: str) -> None:
    assert not seen(hours, begins, severity, system).details
