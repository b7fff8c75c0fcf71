"""Write the report of a lake, or of a part of it, in one of its forms."""

from collections.abc import Callable, Sequence
from pathlib import Path

from iosq.toolkit.advise import Finding, run
from iosq.toolkit.advise.engine import Settings
from iosq.toolkit.advise.site import on_this_site
from iosq.toolkit.predict.site import Accuracy
from iosq.toolkit.report import document, page, quality, workbook
from iosq.toolkit.report.budget import pick
from iosq.toolkit.sql.engine import Connection


def write(
    con: Connection,
    path: Path,
    form: str = "",
    settings: Settings | None = None,
    *,
    narrowed: str = "",
    findings: Sequence[Finding] | None = None,
    accuracy: Callable[[], Accuracy | None] = lambda: None,
    utc: bool = False,
    before: Connection | None = None,
) -> list[str]:
    """Write the report and return the texts of the findings at its top.

    RequestError if the lake has no data to report, or the file can't be written.

    Args:
        form: xlsx, json, or else a page.
        settings: a site's own thresholds by rule and name, as under `[thresholds.CODE]` in iosq.toml.
        narrowed: the filter of `con` in words, if any.
        findings: if None the rules read `con`, which must then have all volumes (`iosq.toolkit.advise.part`).
        accuracy: computes the accuracy of alias predictions on this site, if one is shown.
        utc: local times of `con` are UTC, and are labelled so.
        before: of a page, the same lake a week before, if not in `con`.
    """
    quality.require(con, narrowed)
    found = on_this_site(run(con, settings) if findings is None else findings, accuracy)
    scope = quality.line(con, narrowed, utc)
    if form == "xlsx":
        workbook.write(con, path, found, scope, utc)
    elif form == "json":
        document.write(con, path, found, scope, utc)
    else:
        page.write(con, before or con, path, found, scope, is_part=bool(narrowed), utc=utc)
    return [f.text for f in pick(found)]
