"""`iosq simulate`: predictions. One module per kind."""

import importlib

import typer

from iosq.toolkit.cli.options import add_command

KINDS = ("change", "channel", "dump", "fit", "migrate", "nvs", "pav", "plan", "tape")
HELP = """Predict the effect of changes, from a lake or from numbers.

Example: iosq simulate pav DB2003 --system SYSA --machine ds8100
"""


def register(app: typer.Typer) -> None:
    """Add the group with all its commands."""
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    for kind in KINDS:
        add_command(group, importlib.import_module(f"{__name__}.{kind}"))
    app.add_typer(group, name="simulate")
