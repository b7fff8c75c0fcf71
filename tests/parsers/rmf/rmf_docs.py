"""The tables of docs/explanation/rmf-listings.md, made from the reports and views themselves.

python tests/parsers/rmf/rmf_docs.py     write them anew
"""

from collections.abc import Iterator

import rmf_support as support

from iosq.parsers.rmf import knowledge
from iosq.toolkit.sql.catalog import views

PAGE = support.ROOT / "docs" / "explanation" / "rmf-listings.md"
BEGIN, END = "<!-- tables: made by tests/parsers/rmf/rmf_docs.py -->\n", "<!-- end of tables -->\n"


def _section(section: knowledge.Section) -> Iterator[str]:
    yield f"### `{section.table.name}`\n"
    yield f"{section.table.title}. Source: {section.table.source}.\n"
    yield "| column | unit | headings it is known by | confirmed in XML | meaning | confidence |"
    yield "|---|---|---|---|---|---|"
    for f in section.fields:
        headings = ", ".join(dict.fromkeys(f"`{' '.join(h)}`" for h in f.headings)) or "–"
        confirmed = ", ".join(f"`{word}`" for word in f.xml) or "–"
        c = f.column
        yield f"| `{f.name}` | {c.unit or '–'} | {headings} | {confirmed} | {c.meaning} | {c.confidence} |"
    yield ""


def _views() -> Iterator[str]:
    for view in views():
        for source in (s for s in view.sources if not s.checks):
            if source.name.startswith("rmf."):
                yield f"### `{view.name}` from `{source.name}`\n"
                yield "| view column | from | confidence |\n|---|---|---|"
                for name, f in source.formulas.items():
                    yield f"| `{name}` | {f.text.replace('|', '/')} | {f.confidence} |"
                yield ""


def tables() -> str:
    """The generated part of the page."""
    lines = [line for r in knowledge.reports() for s in r.sections for line in _section(s)]
    return "\n".join(["## Reports and their columns\n", *lines, "## What the views take\n", *_views()])


def page() -> str:
    """The whole page with its tables made anew."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return before + BEGIN + "\n" + tables() + "\n" + END + rest.partition(END)[2]


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
