"""`iosq describe`: what a view, table, column, vendor field or rule means."""

import json
from collections.abc import Iterator
from dataclasses import asdict

import iosq
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import RequestError
from iosq.toolkit.show import terminal
from iosq.toolkit.show.terms import in_cp_terms

# more entries are one line each, and no more of them than a screen holds
_IN_FULL = 8
_ENTRIES = 40


def describe(
    name: str | None = None,
    machine: str | None = None,
    sql: bool = False,
    verbose: bool = False,
    form: str = "table",
) -> None:
    """Explain a view, table, column, vendor field, rule or term.

    For a column or field: unit, meaning, formula, source and confidence. Other words are searched in names, titles,
    meanings and the glossary. Without a name the command lists the views, with -v also the intermediate ones.
    `describe machine` lists machines; with a name or .toml file it gives the numbers of one.

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
        _views(verbose)
        return
    found = iosq.describe(name)
    text = json.dumps(asdict(found), indent=1) if form == "json" else _text(found, verbose) + _asked(found, sql)
    terminal.echo(text)


def _views(verbose: bool) -> None:
    *groups, (last, intermediate) = iosq.view_groups().items()
    for group, titles in [*groups, (last, intermediate)] if verbose else groups:
        terminal.echo(group)
        for view, title in titles.items():
            terminal.echo(f"  {view:28} {title}")
    if not verbose:
        say(f"{len(intermediate)} intermediate views: iosq describe -v")


def _machine(name: str | None, form: str) -> None:
    answer = iosq.machine(name) if name else iosq.machines()
    for text in answer.conclusions:
        say(text)
    terminal.echo(answer.text(form))


def _asked(found: "iosq.Description", wanted: bool) -> str:
    if wanted and not found.sql:
        raise RequestError(f"{found.name} is neither a view nor a rule, so it has no SQL", place="describe --sql")
    if wanted:
        return f"\n\n{found.sql}"
    return f"\n\nIts SQL: iosq describe {found.name} --sql" if found.sql else ""


def _text(found: "iosq.Description", verbose: bool) -> str:
    if found.kind == "search":
        return found.text
    lines = [f"{found.name} ({found.kind}): {found.title}" if found.title else f"{found.name} ({found.kind})"]
    lines += [f"  {found.grain}"] if found.grain else []
    if verbose or len(found.entries) <= _IN_FULL:
        lines += [line for e in found.entries for line in _in_full(e, found.kind)]
        lines += [f"  note: {note}" for note in found.notes]
        lines += [f"  used by {', '.join(found.used_by)}"] if found.used_by else []
    else:
        lines += [f"  {_brief(e, found.kind)}" for e in found.entries[:_ENTRIES]]
        lines += [f"{min(len(found.entries), _ENTRIES)} of {len(found.entries)} columns; -v: all, formulas and notes"]
    return "\n".join(lines) + (f"\n\n{found.text}" if found.text else "")


def _brief(e: "iosq.Entry", kind: str) -> str:
    name = e.column if kind == "view" else f"{e.table}.{e.column}"
    return f"{name}{f' [{e.unit}]' if e.unit else ''}: {e.meaning}"


def _in_full(e: "iosq.Entry", kind: str) -> Iterator[str]:
    unit = f" [{e.unit}]" if e.unit else ""
    yield f"  {e.table}.{e.column} {e.type}{unit}: {e.meaning}"
    cp = in_cp_terms(e.meaning)
    if cp != e.meaning and e.layer != "raw":
        yield f"      on z/VM: {cp}"
    if e.formula:
        yield f"      = {e.formula}"
    if e.source and kind == "column":
        yield f"      {e.source}{f' (confidence {e.confidence})' if e.confidence else ''}"
