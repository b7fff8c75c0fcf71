"""`iosq describe`: what a view, table, column, vendor field or rule means."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal
from iosq.toolkit.show.terms import in_cp_terms

if TYPE_CHECKING:
    from iosq.types import Description


def describe(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="View, table, column, field, rule, any word, or `machine`.")
    ] = None,
    machine: Annotated[str | None, typer.Argument(metavar="[MACHINE]", help="After `machine`: which one.")] = None,
    sql: Annotated[bool, typer.Option("--sql", help="Also the SQL that a rule asks or a view is made by.")] = False,
    form: Annotated[str, typer.Option("--format", metavar="FORMAT", help="table or json.")] = "table",
) -> None:
    """Explain a view, raw table, column or vendor field (unit, meaning, formula, source, confidence), or a rule.

    Every other word is searched for in names, titles, meanings and the glossary. Without a name: the list of views.
    `describe machine` lists machines, with a name or .toml file its numbers. `describe rule NAME` is `describe NAME`.

    Example: iosq describe SMF74SSC
    """
    if name == "machine":
        _machine(machine, form)
        return
    if name == "rule" and machine is not None:
        name, machine = machine, None
    if machine is not None:
        raise RequestError(f"one name at a time, not {name} and {machine}", place="describe")
    if name is None:
        _views()
        return
    found = iosq.describe(name)
    terminal.echo(json.dumps(asdict(found), indent=1) if form == "json" else _text(found) + _asked(found, sql))


def _views() -> None:
    for group, titles in iosq.view_groups().items():
        terminal.echo(group)
        for view, title in titles.items():
            terminal.echo(f"  {view:28} {title}")


def _machine(name: str | None, form: str) -> None:
    answer = iosq.machine(name) if name else iosq.machines()
    for text in answer.conclusions:
        say(text)
    terminal.echo(answer.text(form))


def _asked(found: Description, wanted: bool) -> str:
    if wanted and not found.sql:
        raise RequestError(f"{found.name} is no view and no rule: there is no SQL of it", place="describe --sql")
    if wanted:
        return f"\n\n{found.sql}"
    return f"\n\nIts SQL: iosq describe {found.name} --sql" if found.sql else ""


def _text(found: Description) -> str:
    if found.kind == "search":
        return found.text
    lines = [f"{found.name} ({found.kind}): {found.title}" if found.title else f"{found.name} ({found.kind})"]
    lines += [f"  {found.grain}"] if found.grain else []
    for e in found.entries:
        unit = f" [{e.unit}]" if e.unit else ""
        lines.append(f"  {e.table}.{e.column} {e.type}{unit}: {e.meaning}")
        cp = in_cp_terms(e.meaning)
        lines += [f"      on z/VM: {cp}"] if cp != e.meaning and e.layer != "raw" else []
        lines += [f"      = {e.formula}"] if e.formula else []
        sure = f" (confidence {e.confidence})" if e.confidence else ""
        lines += [f"      {e.source}{sure}"] if e.source and found.kind == "column" else []
    lines += [f"  note: {note}" for note in found.notes]
    lines += [f"  used by {', '.join(found.used_by)}"] if found.used_by else []
    return "\n".join(lines) + (f"\n\n{found.text}" if found.text else "")
