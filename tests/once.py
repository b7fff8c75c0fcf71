"""Lakes that are opened once, and made into tables once, for all who ask what is there."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

import pytest

# where the function that makes tables is known by a name of its own
MAKERS = ("sql.materialise", "report.page", "report.workbook", "report.chart")
ABOUT = ("lake_files", "lake_issues")
Files = Mapping[str, str]


class Opened(NamedTuple):
    """A connection or a copy in tables, and what it shows."""

    views: frozenset[Any] | None  # None: all
    files: Files  # by table: the lake may have several names, and grow
    con: Any

    def has(self, views: frozenset[Any] | None, files: Files) -> bool:
        """Whether it answers what these views over these files answer."""
        enough = self.views is None if views is None else self.views is not None and views <= self.views
        return enough and all(self.files.get(name) == there for name, there in files.items())


class Once:
    """What has been opened and made so far."""

    def __init__(self) -> None:
        self.opened, self.made = dict[str, list[Opened]](), dict[str, list[Opened]]()
        self._shows: dict[int, tuple[str, Files]] = {}  # by connection: the part of a lake, and its files
        self._copies = ExitStack()

    def close(self) -> None:
        """Take the copies away."""
        self._copies.close()

    def patched(self, patch: pytest.MonkeyPatch) -> None:
        """Let everyone ask here who would open a lake or make tables of it."""
        opening: Any = importlib.import_module("iosq.toolkit.sql.connect")
        making: Any = importlib.import_module("iosq.toolkit.sql.materialise")
        connect, materialised, named_in = opening.connect, making.materialised, making.named_in

        def remembered(tables: Any, parts: Any, about: Any, *, root: Path, only: Any = None, **more: Any) -> Any:
            tables = list(tables)
            files = {t.name: str(parts.get(t.name, ())).replace(str(root), "") for t in tables}
            files |= {name: str(parts[name]).replace(str(root), "") for name in parts.keys() - files.keys()}
            place = f"{root.resolve()} {more.get('where')}"
            views = None if only is None else frozenset((v.name, v.utc) for v in only)
            known = self.opened.setdefault(f"{place} {sorted(about)} {more}", [])
            if (found := _first(known, views, files)) is None:
                found = connect(tables, parts, about, root=root, only=only, **more)
                known.append(Opened(views, files, found))
                self._shows[id(found)] = place, files
            return found

        def as_tables(con: Any, texts: Iterable[str], **more: Any) -> AbstractContextManager[Any]:
            text = " ".join(texts)
            if id(con) not in self._shows:
                return materialised(con, [text], **more)
            place, files = self._shows[id(con)]
            views = frozenset({*named_in(text), *(name for name in ABOUT if name in text)})
            known = self.made.setdefault(f"{place} {more}", [])
            if (found := _first(known, views, files)) is None:
                found = self._copies.enter_context(materialised(con, [text], **more))
                known.append(Opened(views, files, found))
            return nullcontext(found)

        patch.setattr(opening, "connect", remembered)
        for name in MAKERS:
            patch.setattr(importlib.import_module(f"iosq.toolkit.{name}"), "materialised", as_tables)


def _first(known: Iterable[Opened], views: frozenset[Any] | None, files: Files) -> Any:
    return next((found.con for found in known if found.has(views, files)), None)
