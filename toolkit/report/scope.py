"""A report about a part of a lake."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from iosq.toolkit.advise import Finding, run
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.advise.site import on_this_site
from iosq.toolkit.predict.site import Accuracy
from iosq.toolkit.report import quality
from iosq.toolkit.sql.engine import Connection


@dataclass(frozen=True, slots=True)
class Narrowed:
    """The filter of a connection in words, and the findings from its whole span.

    Rules need all volumes of the span, as those of a box are solved together (`iosq.toolkit.advise.part`). If only time
    is filtered, `findings` is None and the rules read the connection. `words` is empty without a filter. `accuracy`
    computes the accuracy of alias predictions on this site, if one is shown.
    """

    words: str
    findings: Sequence[Finding] | None = None
    accuracy: Callable[[], Accuracy | None] = lambda: None


def findings(con: Connection, settings: Settings | None, part: Narrowed | None) -> list[Finding]:
    """Findings about the filtered data: those given in `part`, else by the rules on the connection.

    Raises:
        RequestError: there is no data to report.
    """
    quality.require(con, part.words if part else "")
    found = run(con, settings) if part is None or part.findings is None else part.findings
    return on_this_site(found, part.accuracy) if part else list(found)
