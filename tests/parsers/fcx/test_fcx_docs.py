"""The columns in the documentation are those of the report files.

`python tests/parsers/fcx/test_fcx_docs.py` writes them anew.
"""

import re

from fcx_support import ROOT

from iosq.parsers.fcx import knowledge

PAGE = ROOT / "docs/explanation/fcx.md"
PART = re.compile(r"(<!-- columns: .*? -->\n).*(<!-- end of columns -->)", re.DOTALL)


def columns() -> str:
    """A table for each report: heading as printed, our column, unit, meaning, view column, confidence."""
    parts = []
    for report in knowledge.reports().values():
        lines = [f"\n### `{report.name}`: {report.title}\n", f"Source: {report.source}.\n"]
        lines += ["| heading | column | unit | meaning | view column | confidence |", "|---|---|---|---|---|---|"]
        for k in report.columns:
            cells = [k.wording[0], f"`{k.name}`", k.unit, k.meaning, k.view, k.confidence]
            lines.append("| " + " | ".join(cells) + " |")
        parts.append("\n".join(lines))
    return "\n".join(parts) + "\n\n"


def test_documentation_lists_the_columns_taken() -> None:
    text = PAGE.read_text()
    assert PART.sub(lambda m: m[1] + columns() + m[2], text) == text


if __name__ == "__main__":
    PAGE.write_text(PART.sub(lambda m: m[1] + columns() + m[2], PAGE.read_text()))
