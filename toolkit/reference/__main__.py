"""Writes generated files, or checks that they are up to date: `python -m iosq.toolkit.reference [--check]`."""

import sys
from collections.abc import Callable
from pathlib import Path

from iosq.toolkit.reference.cli import cli_markdown
from iosq.toolkit.reference.glossary import glossary_markdown
from iosq.toolkit.reference.needed import needed_csv
from iosq.toolkit.reference.needs import needs_csv
from iosq.toolkit.reference.python import python_markdown, views_module

FOLDER = Path("docs/reference")


def generated() -> dict[Path, Callable[[], str]]:
    """Files and the functions that make them."""
    from iosq.parsers.smf.docs import issues_markdown, layouts_markdown
    from iosq.toolkit.advise.docs import markdown as rules_markdown
    from iosq.toolkit.sql.docs import markdown

    return {
        Path("iosq/attributes.py"): views_module,
        Path("parsers/needed.csv"): needed_csv,
        Path("toolkit/sql/needs.csv"): needs_csv,
        FOLDER / "rules.md": rules_markdown,
        FOLDER / "views.md": markdown,
        FOLDER / "layouts.md": layouts_markdown,
        FOLDER / "issues.md": issues_markdown,
        FOLDER / "cli.md": cli_markdown,
        FOLDER / "glossary.md": glossary_markdown,
        FOLDER / "python.md": python_markdown,
    }


def main() -> int:
    """Write or check all of them; 1 if one is out of date."""
    stale = []
    for path, make in generated().items():
        text = make()
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            stale.append(str(path))
    if stale:
        print(f"out of date: {', '.join(stale)}; run python -m iosq.toolkit.reference", file=sys.stderr)  # noqa: T201
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
