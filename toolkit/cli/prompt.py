"""The prompt of `iosq sql`: one statement after the other, with history and completion. Long rows are paged."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import iosq
from iosq.toolkit.cli.commands.describe import describe
from iosq.toolkit.cli.talk import say
from iosq.toolkit.errors import IosqError
from iosq.toolkit.show import stages, terminal
from iosq.toolkit.show.numbers import duration, shown

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import CompleteEvent, Completion
    from prompt_toolkit.document import Document
    from prompt_toolkit.history import History

KEYWORDS = (
    "SELECT", "DISTINCT", "FROM", "WHERE", "GROUP BY", "ORDER BY", "LIMIT", "JOIN", "LEFT JOIN", "ON", "USING", "AND",
    "OR", "NOT", "IS NULL", "BETWEEN", "LIKE", "CASE", "WHEN", "THEN", "ELSE", "END", "AS", "DESC", "WITH", "HAVING",
    "max(", "min(", "avg(", "sum(", "count(*)", "quantile_cont(", "max_by(", "date_trunc(",
)  # fmt: skip
HELP = """.views              the views and what they answer
.describe NAME      a view, column, field or any word
.vertical           each row as a list of its columns, on or off
.all                all rows and columns of the last statement, to scroll in
.timing             the time of each statement, on or off
.quit               the end, as Ctrl-D"""
_WORD = re.compile(r"[.\w]+$")
_AFTER_TABLE = re.compile(r"\b(from|join)\s+\w*$", re.IGNORECASE)


class Prompt:
    """Reads statements, which end in a semicolon or an empty line, and prints their results."""

    def __init__(self, lake: iosq.Lake, *, utc: bool) -> None:
        self._lake, self._utc = lake, utc
        self._is_vertical = self._is_timed = False
        self._last = "SELECT 'no statement yet' AS result"
        self._columns = cache(self._columns_of)

    def run(self) -> None:
        session = _session(self._words)
        say("statements end in ; or an empty line; .help shows more, Ctrl-D ends")
        while True:
            stages.quiet()  # a completion asks the lake too, and its progress would be written over what is typed
            try:
                text = session.prompt("iosq> ").strip()
            except KeyboardInterrupt:  # drops what was typed
                continue
            except EOFError:
                return
            if text.rstrip(";") in (".quit", ".exit"):
                return
            if text:
                self.answer(text)

    def answer(self, text: str) -> None:
        """The result of one statement or command; an error is one line."""
        began = time.monotonic()
        stages.anew()
        try:
            self._command(text.rstrip("; ")) if text.startswith(".") else self._query(text.rstrip("; \n"))
        except IosqError as error:
            say(f"iosq: {error}", trouble=True)
        except KeyboardInterrupt:
            say("interrupted", trouble=True)
        if self._is_timed:
            say(duration(time.monotonic() - began))

    def _query(self, text: str) -> None:
        self._last = text
        if self._is_vertical:
            _paged("\n".join(_vertical(self._lake.sql(text).iter_rows(named=True))))
        else:
            self._lake.export(text, None, form="table", utc=self._utc, note=lambda line: say(f"note: {line}"))

    def _command(self, text: str) -> None:
        name, _, argument = text.partition(" ")
        if name == ".vertical":
            self._is_vertical = not self._is_vertical
        elif name == ".timing":
            self._is_timed = not self._is_timed
        elif name == ".all":
            with TemporaryDirectory(prefix="iosq-") as folder:
                self._lake.export(self._last, file := Path(folder, "all.txt"), form="table", utc=self._utc)
                _paged(file.read_text("utf-8"))
        elif name in (".views", ".describe"):
            about = argument.strip() if name == ".describe" else ""
            describe(about or None, None, sql=False, verbose=False, form="table")
        else:
            terminal.echo(HELP)

    def _words(self, before: str) -> list[str]:
        """What may follow a text: commands, views, columns of the views it names, keywords."""
        if before.lstrip().startswith("."):
            commands = [line.split()[0] for line in HELP.splitlines()]
            return list(iosq.views()) if ".describe " in before else commands
        if _AFTER_TABLE.search(before):
            return list(iosq.views())
        named = [view for view in iosq.views() if re.search(rf"\b{view}\b", before)]
        columns = dict.fromkeys(c for view in named or ("volume_interval",) for c in self._columns(view))
        return [*columns, *KEYWORDS, *iosq.views()]

    def _columns_of(self, view: str) -> list[str]:
        with suppress(IosqError):
            return self._lake.sql(f"SELECT * FROM {view} LIMIT 0").columns
        return []


def _session(words: Callable[[str], list[str]]) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.completion import Completer, Completion
    from prompt_toolkit.filters import Condition

    class Words(Completer):
        def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterator[Completion]:  # noqa: ARG002
            before = document.text_before_cursor
            found = _WORD.search(before)
            begun = found[0] if found else ""
            for word in words(before):
                if word.lower().startswith(begun.lower()):
                    yield Completion(word, -len(begun))

    unfinished = Condition(lambda: not _is_complete(get_app().current_buffer.text))
    return PromptSession(
        history=_history(),
        completer=Words(),
        complete_while_typing=False,
        multiline=unfinished,
        prompt_continuation="  ... ",
    )


def _is_complete(text: str) -> bool:
    return text.strip() == "" or text.lstrip().startswith(".") or text.rstrip(" ").endswith((";", "\n"))


def _history() -> History:
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state") / "iosq"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "sql_history").touch()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(folder / "sql_history"))


def _vertical(rows: Iterator[dict[str, object]]) -> Iterator[str]:
    for number, row in enumerate(rows, 1):
        wide = max(map(len, row), default=0)
        yield f"row {number}"
        yield from (f"  {name:<{wide}}  {shown(value)}" for name, value in row.items())


def _paged(text: str) -> None:
    if text.count("\n") >= shutil.get_terminal_size().lines:
        import pydoc

        stages.quiet()
        os.environ.setdefault("LESS", "-S")  # wide rows are scrolled, not folded
        pydoc.pager(terminal.safe(text))
    else:
        terminal.echo(text or "no rows")
