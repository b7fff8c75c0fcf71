"""`toolkit/sql/needs.csv`: the tables and views without whose rows a query has none.

They follow from its syntax: what its FROM and inner joins lead to. Sums over everything need nothing: they have
a row even of nothing.
"""

import json
import re
from collections.abc import Mapping

from iosq.parsers.registry import tables
from iosq.toolkit.errors import LakeError
from iosq.toolkit.late import duckdb
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.catalog import names, views
from iosq.toolkit.sql.connect import SHIMS
from iosq.toolkit.sql.questions import shipped

Known = Mapping[str, frozenset[str]]  # what each common table expression needs

_AGGREGATES = "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type = 'aggregate'"
_MACRO = re.compile(r"CREATE MACRO (\w+)\([^)]*\) AS (.*)")


def needs_csv() -> str:
    """One row per source of a view, and per question, that needs a table or view."""
    reader = Reader()
    known = names() | tables().keys()
    texts = {s.place(v.name): s.sql for v in views() for s in v.sources if not s.checks} | {
        q.file: q.sql for q in shipped()
    }
    needed = {place: sorted(reader.needed(place, sql) & known) for place, sql in texts.items()}
    return "\n".join(["place,needs", *(f"{p},{' '.join(found)}" for p, found in sorted(needed.items()) if found), ""])


class Reader:
    """Reads syntax trees of the engine."""

    def __init__(self) -> None:
        """Knows the engine's aggregates."""
        self._con = duckdb.connect()
        self._aggregates = {name for (name,) in self._con.execute(_AGGREGATES).fetchall()}
        for name, body in _MACRO.findall("\n".join(SHIMS)):
            self._aggregates |= {name} if self._is_sum(self._tree(name, f"SELECT {body}")["select_list"]) else set()

    def needed(self, place: str, sql: str) -> frozenset[str]:
        """The names that a SELECT needs rows of, common table expressions left out.

        Raises:
            LakeError: it is no SELECT; names `place`.
        """
        return self._query(self._tree(place, sql.replace("$", "given_")), {})  # parameters have no syntax tree

    def _tree(self, place: str, sql: str) -> Row:
        ((found,),) = self._con.execute("SELECT json_serialize_sql(?)", [sql]).fetchall()
        tree = json.loads(found)
        if tree["error"]:
            raise LakeError(tree["error_message"], place=place)
        node: Row = tree["statements"][0]["node"]
        return node

    def _query(self, node: Row, known: Known) -> frozenset[str]:
        for entry in node["cte_map"]["map"]:
            known = {**known, entry["key"].lower(): self._query(entry["value"]["query"]["node"], known)}
        if node["type"] == "SET_OPERATION_NODE":
            parts = [self._query(part, known) for part in node.get("children") or (node["left"], node["right"])]
            return frozenset.intersection(*parts) if node["setop_type"] == "UNION" else parts[0]
        if node["type"] != "SELECT_NODE" or self._has_row_of_nothing(node):
            return frozenset()
        return self._rows(node["from_table"], known)

    def _has_row_of_nothing(self, node: Row) -> bool:
        sets = node["group_sets"]
        if sets:
            return not all(sets)
        return bool(node["having"]) or any(map(self._is_sum, node["select_list"]))

    def _is_sum(self, expression: object) -> bool:
        if isinstance(expression, list):
            return any(map(self._is_sum, expression))
        if not isinstance(expression, dict) or expression.get("class") in ("WINDOW", "SUBQUERY"):
            return False
        called = expression.get("class") == "FUNCTION" and expression["function_name"].lower()
        return called in self._aggregates or any(map(self._is_sum, expression.values()))

    def _rows(self, table: Row, known: Known) -> frozenset[str]:
        if table["type"] == "BASE_TABLE":
            name = table["table_name"].lower()
            return known.get(name, frozenset({name}))
        if table["type"] == "SUBQUERY":
            return self._query(table["subquery"]["node"], known)
        if table["type"] != "JOIN":
            return frozenset()
        left, right = (self._rows(table[side], known) for side in ("left", "right"))
        found = {"INNER": left | right, "SEMI": left | right, "LEFT": left, "ANTI": left, "RIGHT": right}
        return found.get(table["join_type"], left & right)
