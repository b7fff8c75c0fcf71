"""Changes of meaning that can be made to a file of ours: operators, constants, bounds, the handling of NULL.

A change is a span of the text and what stands there instead; comments, texts, types and documentation stay as they are.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

OPERATORS: dict[type, tuple[str, str]] = {
    ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"), ast.Gt: (">", ">="), ast.GtE: (">=", ">"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"),
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"), ast.FloorDiv: ("//", "*"),
    ast.Mod: ("%", "//"), ast.BitAnd: ("&", "|"), ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any", "ceil": "floor", "floor": "ceil"}
NUMBER = re.compile(r"(?<![\w.\"'#])\d+(?:\.\d+)?(?![\w.\"'])")
SQL_TEXT = re.compile(r"--[^\n]*|/\*.*?\*/|'[^']*'|\{[^}]*\}", re.DOTALL)
SQL_TOKENS = (
    (r" \+ ", " - "), (r" - ", " + "), (r"(?<=[\w)]) \* (?=[\w(])", " / "), (r" / ", " * "),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" <> ", " = "),
    (r" = (?=\d|')", " <> "), (r"\bIS NULL\b", "IS NOT NULL"), (r"\bIS NOT NULL\b", "IS NULL"),
    (r"\bsum\(", "max("), (r"\bmax\(", "min("), (r"\bmin\(", "max("), (r"\bavg\(", "max("),
    (r"\bgreatest\(", "least("), (r"\bleast\(", "greatest("), (r"\bLEFT JOIN\b", "JOIN"),
    (r"\bcount\(DISTINCT ", "count("), (r" DESC\b", ""),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Change:
    """What stands instead of a span of a text."""

    start: int
    end: int
    new: str

    def applied(self, text: str) -> str:
        """The text with the change."""
        return text[: self.start] + self.new + text[self.end :]


def changes(path: Path) -> list[Change]:
    """All changes known for a file, in the order of their places."""
    text = path.read_text("utf-8")
    makers = {".py": _python, ".sql": _sql, ".toml": _toml, ".csv": _layout}
    return sorted(set(makers[path.suffix](text)), key=lambda c: (c.start, c.end, c.new))


def _grown(number: str) -> str:
    return str(int(number) + 1) if number.isdigit() else f"{float(number) * 1.1:.12g}" if float(number) else "0.1"


def _python(text: str) -> Iterator[Change]:
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    coded = text.encode()
    for node in _meant(ast.parse(text)):
        begin = starts[node.lineno - 1] + node.col_offset  # type: ignore[attr-defined]
        end = starts[node.end_lineno - 1] + node.end_col_offset  # type: ignore[attr-defined]
        here, size = len(coded[:begin].decode()), len(coded[begin:end].decode())
        yield from _of_node(node, text, here, here + size, lambda n: len(coded[: _end(starts, n)].decode()))


def _end(starts: list[int], node: ast.expr) -> int:
    return starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _meant(tree: ast.AST) -> Iterator[ast.AST]:
    """Expressions that are computed: no types, decorators, texts with values, defaults of options."""
    for name, value in ast.iter_fields(tree):
        if name in ("annotation", "returns", "decorator_list") or isinstance(value, ast.JoinedStr):
            continue
        for node in value if isinstance(value, list) else [value]:
            if isinstance(node, ast.AST) and not isinstance(node, ast.JoinedStr | ast.Assert):
                if isinstance(node, ast.expr):
                    yield node
                yield from _meant(node)


def _of_node(node: ast.AST, text: str, start: int, end: int, after) -> Iterator[Change]:  # type: ignore[no-untyped-def]
    match node:
        case ast.Compare(left=left, ops=ops, comparators=others):
            for before, operator in zip([left, *others], ops, strict=False):
                yield from _operator(operator, text, after(before), end)
        case ast.BinOp(left=left, op=operator, right=right) if not _is_text(left) and not _is_text(right):
            yield from _operator(operator, text, after(left), end)
        case ast.BoolOp(op=operator, values=values):
            for before in values[:-1]:
                yield from _operator(operator, text, after(before), end)
        case ast.UnaryOp(op=ast.Not()):
            yield Change(start, start + len("not "), "")
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            if (word := text[start:end].replace("_", "")).replace(".", "").isdigit():
                yield Change(start, end, _grown(word))
        case ast.Call(func=ast.Name(id=name)) if name in CALLS:
            yield Change(start, start + len(name), CALLS[name])


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr | ast.List) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


def _operator(operator: ast.AST, text: str, start: int, end: int) -> Iterator[Change]:
    if pair := OPERATORS.get(type(operator)):
        words = r"\s+".join(map(re.escape, pair[0].split()))
        if found := re.compile(rf"[\s)]*({words})").match(text, start, end):
            yield Change(*found.span(1), pair[1])


def _sql(text: str) -> Iterator[Change]:
    bare = SQL_TEXT.sub(lambda found: re.sub(r"[^\n']", " ", found[0]), text)
    for pattern, new in SQL_TOKENS:
        for found in re.finditer(pattern, bare):
            yield Change(*found.span(), new)
    for found in NUMBER.finditer(bare):
        yield Change(*found.span(), _grown(found[0]))
    for found in re.finditer(r"\b(coalesce|nullif)\(", bare):
        yield from _first_argument(bare, text, *found.span())


def _first_argument(bare: str, text: str, start: int, inside: int) -> Iterator[Change]:
    """`coalesce(x, 0)` and `nullif(x, 0)` without what they do about NULL."""
    depth, comma = 1, 0
    for at in range(inside, len(bare)):
        depth += (bare[at] == "(") - (bare[at] == ")")
        if depth == 1 and bare[at] == "," and not comma:
            comma = at
        if depth == 0:
            if comma:
                yield Change(start, at + 1, text[inside:comma])
            return


def _toml(text: str) -> Iterator[Change]:
    for found in re.finditer(r"^[\w.]+ *= *(\d+(?:\.\d+)?)$", text, re.MULTILINE):
        yield Change(*found.span(1), f"{float(found[1]) * 2 or 1:.12g}")  # a limit may be a tenth off, not the double


def _layout(text: str) -> Iterator[Change]:
    """A field of a record one byte further on."""
    for found in re.finditer(r"^\w+,(\d+),", text, re.MULTILINE):
        yield Change(*found.span(1), _grown(found[1]))
