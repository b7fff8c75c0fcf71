"""Names that a shell completes. Those of the product are names of files, so that nothing else is loaded."""

from collections.abc import Callable
from importlib.resources import files
from pathlib import Path

import typer

import iosq

Static = Callable[[str], list[str]]
Measured = Callable[[typer.Context, str], list[str]]


def _named(folder: str, of: str) -> Static:
    """Names of a folder's files that match a pattern, or of its folders that hold such a file."""

    def complete(incomplete: str) -> list[str]:
        found = Path(str(files("iosq"))).joinpath(folder).rglob(of)
        names = {path.parent.name if path.name == of else path.stem for path in found}
        return sorted(name for name in names if name.startswith(incomplete) and not name.startswith("_"))

    return complete


charts = _named("toolkit/report/charts", of="*.py")
machines = _named("models/hardware", of="*.toml")
_rules = _named("toolkit/advise/rules", of="rule.toml")
_views = _named("toolkit/sql/views", of="*.sql")


def described(incomplete: str) -> list[str]:
    """Views, rules, and the word before the name of a machine."""
    return [*_views(incomplete), *_rules(incomplete), *(["machine"] if "machine".startswith(incomplete) else [])]


def _measured(column: str, view: str) -> Measured:
    """Names in the lake that the command line names; none where there is no lake."""

    def complete(ctx: typer.Context, incomplete: str) -> list[str]:
        try:
            lake = iosq.open(ctx.params.get("lake"))
            asked = f"SELECT DISTINCT {column} FROM {view} WHERE starts_with({column}, $begun) ORDER BY 1 LIMIT 200"
            return lake.sql(asked, begun=incomplete.upper()).to_series().to_list()
        except iosq.IosqError:
            return []

    return complete


volumes = _measured("volume", "volume_interval")
lcus = _measured("lcu", "lcu_interval")
systems = _measured("system", "volume_interval")
