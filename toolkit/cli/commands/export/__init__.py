"""`iosq export`: a lake for other engines."""

import typer

from iosq.toolkit.cli.commands.export import delta, duckdb
from iosq.toolkit.cli.options import add_command

HELP = """Export a lake for other query engines.

Example: iosq export delta tables
"""


def register(app: typer.Typer) -> None:
    """Add the group with all its commands."""
    group = typer.Typer(help=HELP, no_args_is_help=True, rich_markup_mode=None)
    add_command(group, delta)
    add_command(group, duckdb)
    app.add_typer(group, name="export")
