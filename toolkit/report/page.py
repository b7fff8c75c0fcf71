"""Write findings, charts and tables as one HTML file."""

import base64
import datetime as dt
import hashlib
import json
import os
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial
from importlib.metadata import version
from math import isinf
from pathlib import Path
from typing import Any

from altair.utils.schemapi import debug_mode
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.catalog import all_rules, question_texts
from iosq.toolkit.advise.finding import Curve, Severity
from iosq.toolkit.advise.text import cost, expectation
from iosq.toolkit.report import drill, hours, nothing, quality
from iosq.toolkit.report.budget import pick
from iosq.toolkit.report.chart import Chart, charts, rows_of
from iosq.toolkit.report.effect import COUNTED, chosen, counts, in_words, points, stated, with_curve
from iosq.toolkit.report.embed import bundle, embedded, is_large, library, placed
from iosq.toolkit.report.links import Links, Tables
from iosq.toolkit.report.table import Filled, cell, chart_table, fill, tables
from iosq.toolkit.report.template import GROWS, HINT, effect, short, zoomable
from iosq.toolkit.rows import Row
from iosq.toolkit.show import output, stages
from iosq.toolkit.show.clock import worded
from iosq.toolkit.show.numbers import amount, duration, shown
from iosq.toolkit.show.terms import in_cp_terms
from iosq.toolkit.show.theme import DARK, themed
from iosq.toolkit.sql.engine import Connection

_FOLDER = Path(__file__).parent
# findings named on the page of a place; the others are only among the report's findings
_ABOUT_PLACE = 12
# maximum number of pages and of table rows that a finding links to
_LINKS = 6
_AFTER = ("quality", "issues")
# placeholder of the policy while the page is assembled
_POLICY = "policy-of-this-page"


def write(
    con: Connection, before: Connection, path: Path, found: list[Finding], scope: str, *, is_part: bool, utc: bool
) -> None:
    """Write the page of a lake, or of a part of it; `before`: the same a week before; `scope`: its basis in words."""
    with debug_mode(False):  # skip the schema check of charts, which takes seconds; `iosq chart` and the tests do it
        html = _page(con, before, found, scope, is_part, utc)
    output.write(path, html)


def texts() -> list[str]:
    """All SQL the page runs."""
    return [
        *question_texts(),
        *(c.sql for c in charts()),
        *(text for t in tables() for text in (t.sql, *t.reads)),
        *drill.texts(),
        *nothing.ASKED,
        *quality.texts(),
    ]


def weekly_texts() -> list[str]:
    """The SQL that the page runs on the week before."""
    return [*(c.sql for c in charts() if c.is_weekly), drill.UNITS.sql, drill.VOLUMES.sql]


def _page(con: Connection, before: Connection, findings: list[Finding], scope: str, is_part: bool, utc: bool) -> str:
    first = pick(findings)
    ordered = first + [f for f in findings if f not in first]
    pages, every = _filled(con, before, ordered)
    shown = Tables(every, pages.rows)
    views = [_view(number, f, pages.links, shown) for number, f in enumerate(ordered, 1)]
    zvm = quality.only_zvm(con)
    lacks = partial(quality.absent, zvm=zvm, part=is_part)
    filled = [replace(f, absent=why) for f in every if (why := lacks(f.table)) or f.rows]
    asked = stages.each("charts", [c for c in charts() if c.sql])
    drawn = [_drawn(con, before, c, lacks(c)) for c in asked]
    text = _environment().get_template("page.html.j2").render(
        summary=_summary(ordered),
        others_summary=_summary(ordered[len(first) :]),
        findings=views[: len(first)],
        others=views[len(first) :],
        rules={r.code: r for r in all_rules()},
        charts=[c for c in drawn if c["title"]],
        drill=pages,
        findings_most=_ABOUT_PLACE,
        tables=[f for f in filled if f.table.name not in _AFTER],
        quality_tables=[f for f in filled if f.table.name in _AFTER],
        quality_line=scope,
        utc=utc,
        version=version("iosq"),
        created=_created(),
        templates={name: _json(t) for name, t in {"effect": effect(), **pages.templates}.items()},
        places_data=_json(pages.data),
        bundle=Markup(bundle()),
        dark=DARK,
        policy=_POLICY,
        zoom_hint=HINT,
    )  # fmt: skip
    text = worded(in_cp_terms(text) if zvm else text, utc)
    return text.replace(_POLICY, policy(text), 1)


def _created() -> str:
    """Time of creation (UTC); SOURCE_DATE_EPOCH makes pages reproducible, as in other tools."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH", "")
    moment = dt.datetime.fromtimestamp(int(epoch), dt.UTC) if epoch.isdecimal() else dt.datetime.now(dt.UTC)
    return f"{moment:%Y-%m-%d %H:%M}"


def _filled(con: Connection, before: Connection, ordered: list[Finding]) -> tuple[drill.Drill, list[Filled]]:
    """The pages of places, and all tables, for findings in this order."""
    stages.progress("pages")
    pages = drill.drill(con, ordered, before)
    known = {"volumes": pages.rows}
    every = stages.each("tables", tables())
    return pages, [fill(con, t, ordered, pages.links.cell, known.get(t.name)) for t in every]


def policy(html: str) -> str:
    """A Content-Security-Policy that allows only the scripts of the page, and no network access."""
    # browsers read each line end as one character
    scripts = [s.replace("\r\n", "\n") for s in re.findall(r"<script>(.*?)</script>", html, re.DOTALL)]
    scripts += [bundle()] if " data-runs>" in html else []
    sums = (base64.b64encode(hashlib.sha256(s.encode()).digest()).decode() for s in scripts)
    listed = " ".join(f"'sha256-{s}'" for s in sums)
    return (
        f"default-src 'none'; script-src {listed}; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; "
        "form-action 'none'"
    )


def _view(number: int, finding: Finding, links: Links, shown: Tables) -> Row:
    """A finding with its number on the page, the pages and tables about its subject, and pictures of its curves."""
    prefix = {id(p): f"{p.subject.opening}: " for p in finding.parts}
    parts, seen, is_many = finding.parts or (finding,), finding.when, finding.subject.kind == "volumes"
    return {
        "number": number,
        "finding": finding,
        # a finding about many volumes has short labels
        "links": [(to.id, to.short if is_many and to.short else to.name) for to in links.about(finding)[:_LINKS]],
        "related": shown.about(finding)[:_LINKS],
        "seen": seen and f"First seen {seen.first_seen:%H:%M on %Y-%m-%d}, last {seen.last_seen:%H:%M on %Y-%m-%d}.",
        "expect": expectation(finding),
        "effects": [_effect(part, curve, prefix.get(id(part), "")) for part, curve in with_curve([finding])],
        "hours": [
            {"title": prefix.get(id(part), "") + hours.in_words(part), "bars": hours.bars(part.hours)}
            for part in parts
            if part.hours
        ],
    }


def _summary(findings: Sequence[Finding]) -> str:
    """`14 to act on, 10 to look at, 7 notes`, without zero counts."""
    counts = Counter(f.severity for f in findings)
    notes = "note" if counts["note"] == 1 else "notes"
    words: dict[Severity, str] = {"act": "to act on", "watch": "to look at", "note": notes}
    return ", ".join(f"{counts[severity]} {word}" for severity, word in words.items() if counts[severity])


def _effect(finding: Finding, curve: Curve, prefix: str) -> Row:
    given = stated(finding)
    basis = f" Rests on: {curve.basis}."
    if curve.basis.casefold() in expectation(finding).casefold():
        basis = ""  # stated above
    rows = [[short(value) for value in point] for point in points(curve, given)]
    return {
        "title": prefix + in_words(curve, given),
        "about": "The wait is clear below a tenth of the response, or a quarter with under half an I/O queued; "
        f"{_bands(curve)}.{basis}",
        "data": _json({"words": {"counted": curve.counted, **chosen(curve, given)}, "rows": rows}),
        "numbers": chart_table(counts(curve, given), COUNTED),
    }


def _bands(curve: Curve) -> str:
    open_end = any(isinf(s.response_ms.high) for s in curve.steps)
    bands = (
        "the bands show what the measurements leave open" if curve.identifiable else "any value in a band is possible"
    )
    return f"{bands}; a band that ends flat at the top has no limit" if open_end else bands


def _drawn(con: Connection, before: Connection, chart: Chart, missing: str) -> Row:
    rows = rows_of(con, chart, before=before)
    if not rows:
        return {"chart": chart, "spec": None, "title": missing}
    grown = themed(chart.draw(rows)).properties(width="container", autosize=GROWS)
    spec = zoomable(grown.to_dict(validate=False, format="vega-lite"))
    numbers = chart_table(chart.summary(rows), chart.columns)
    return {"chart": chart, "spec": _json(spec), "title": chart.title(rows), "numbers": numbers}


def _json(value: Any) -> Markup:
    """JSON that is safe inside a script element, because it has no `<` and so no end tag or comment."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return Markup(text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029"))


@cache
def _environment() -> Environment:
    env = Environment(
        autoescape=True,
        loader=FileSystemLoader(_FOLDER / "html"),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    env.filters |= {"shown": shown, "amount": amount, "cell": cell, "duration": duration, "cost": cost, "json": _json}
    env.filters |= {"embedded": embedded, "placed": placed, "is_large": is_large, "library": library}
    return env
