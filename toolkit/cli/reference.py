"""Writes `docs/reference/` from what the code knows, or checks that it is up to date (`--check`).

python -m iosq.toolkit.cli.reference [--check]
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import typer

FOLDER = Path("docs/reference")
WIDTH = 100
_CLI = """# Command line

The help text of every command. Exit codes: 0 done, 1 bad input or request, 2 usage,
3 done, but error-level issues were recorded.

"""


def _commands(command: Any, path: str) -> Iterator[str]:
    context = command.context_class(command, info_name=path, max_content_width=WIDTH, terminal_width=WIDTH)
    yield f"## {path}\n\n```text\n{command.get_help(context).rstrip()}\n```\n"
    for name, child in sorted(getattr(command, "commands", {}).items()):
        yield from _commands(child, f"{path} {name}")


def cli_markdown() -> str:
    """`docs/reference/cli.md`: every command's help text."""
    from iosq.toolkit.cli.main import command

    return _CLI + "\n".join(_commands(command(), "iosq"))


def pages() -> dict[str, Callable[[], str]]:
    """Page names and the functions that make them."""
    from iosq.parsers.smf.docs import issues_markdown, layouts_markdown
    from iosq.toolkit.advise.docs import markdown as rules_markdown
    from iosq.toolkit.sql.docs import markdown

    return {
        "rules": rules_markdown,
        "views": markdown,
        "layouts": layouts_markdown,
        "issues": issues_markdown,
        "cli": cli_markdown,
    }


def main() -> int:
    """Write or check all pages; 1 if one is out of date."""
    stale = []
    for name, make in pages().items():
        path, text = FOLDER / f"{name}.md", make()
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            stale.append(str(path))
    if stale:
        typer.echo(f"out of date: {', '.join(stale)}; run python -m iosq.toolkit.cli.reference", err=True)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main())
