"""`iosq simulate`: what happens if. One module per kind of question."""

from __future__ import annotations

import importlib

import typer

from iosq.toolkit.cli.options import add_command

KINDS = ("change", "channel", "dump", "fit", "migrate", "nvs", "pav", "plan", "tape")
HELP = """What happens if: models fed from the lake or from numbers given here.

Example: iosq simulate pav DB2003 --system SYSA --machine ds8100
"""


def register(app: typer.Typer) -> None:
    """Add the group with all its commands."""
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    for kind in KINDS:
        add_command(group, importlib.import_module(f"{__name__}.{kind}"))
    app.add_typer(group, name="simulate")
