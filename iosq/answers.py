"""Results that are lists in Python and can be written as text or JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING

from iosq.toolkit.advise import cards, verdicts
from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.text import as_json, as_text
from iosq.toolkit.late import pl
from iosq.toolkit.rows import NewRow
from iosq.toolkit.show.values import dumps

if TYPE_CHECKING:
    from iosq.toolkit.trend import Trend


class Findings(list[Finding]):
    """Findings of the rules, most urgent first. `heading`: systems, span and clock of the data; `utc`: that clock."""

    def __init__(self, found: Iterable[Finding] = (), heading: str = "", utc: bool = False) -> None:
        super().__init__(found)
        self.heading, self.utc = heading, utc

    def text(self, *, brief: bool = False, only: int | None = None) -> str:
        """Text for people: headline, action, effect, confidence, and evidence unless `brief`; `only`: one finding."""
        return as_text(self, brief=brief, only=only)

    def json(self) -> str:
        """For programs: an array of objects."""
        return as_json(self, self.utc, self.heading)

    def _repr_html_(self) -> str:
        return cards.as_html(self, self.heading)

    def frame(self) -> pl.DataFrame:
        """One row per finding: subject, code, severity, texts, advice, seconds lost per day, confidence."""
        names = ("code", "severity", "text", "details", "advice", "lost_s", "confidence")
        columns = {name: [getattr(f, name) for f in self] for name in names}
        return pl.DataFrame({"subject": [str(f.subject) for f in self], **columns})


class Verdicts(list[NewRow]):
    """One row per volume, LCU and group of LCUs: the verdict on its aliases. `heading`: systems, span and clock."""

    def __init__(self, rows: Iterable[NewRow] = (), heading: str = "") -> None:
        super().__init__(rows)
        self.heading = heading

    def text(self) -> str:
        """A table for people."""
        return verdicts.as_table(self)

    def json(self) -> str:
        """For programs: an array of objects."""
        return verdicts.as_json(self, self.heading)


class Trends(list["Trend"]):
    """Growth and decline. `left_out`: kinds of subject that the filters do not apply to, with those filters."""

    def __init__(self, rows: list[Trend], left_out: Mapping[str, list[str]]) -> None:
        super().__init__(rows)
        self.left_out = left_out

    def json(self) -> str:
        """For programs: an array of objects."""
        return dumps([asdict(t) for t in self], 1)

    def frame(self) -> pl.DataFrame:
        """One row per subject and measure."""
        return pl.DataFrame([asdict(t) for t in self], infer_schema_length=None)
