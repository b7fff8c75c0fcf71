"""Sentences of rules without their values, for a reader of the rules."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from iosq.toolkit.advise.templates import SOURCES

if TYPE_CHECKING:
    from jinja2 import nodes

NOTATION = "(<a>: a value; {a | b}: one of several texts; [a]: a text that may be left out)"


def outlined(template: str, code: str = "") -> str:
    """The template with `<column>` for a value, {a | b} for one of several texts and [a] for one that may be absent.

    Args:
        template: with columns in `{{ }}` and conditions.
        code: around the columns.
    """
    from jinja2 import Environment

    return " ".join(_words(Environment().parse(template), code).split())


def _words(node: "nodes.Node", code: str) -> str:
    from jinja2 import nodes

    def each(inner: Iterable["nodes.Node"]) -> str:
        return "".join(_words(n, code) for n in inner)

    if options := _options(node):
        return _one_of(map(each, options))
    match node:
        case nodes.TemplateData():
            return node.data
        case nodes.Const():
            return str(node.value)
        case nodes.Filter(name="plural"):
            return (
                f"{each([*node.iter_child_nodes(only=('node',))])} {each(node.args[-1:])}{'s' * (len(node.args) == 1)}"
            )
        case nodes.Filter(name="aliases"):
            return f"{each(node.iter_child_nodes())} aliases"
        case nodes.Name() | nodes.Sub() | nodes.Add() | nodes.Mul() | nodes.Div():
            name = _calculated(node)
            return SOURCES.get(name, f"{code}<{name}>{code}")
    return each(node.iter_child_nodes(only=("nodes", "node", "body", "items")))


def _options(node: "nodes.Node") -> list[list["nodes.Node"]]:
    """What stands for a node, one of several; empty: nothing is to be chosen."""
    from jinja2 import nodes

    match node:
        case nodes.If():
            return [node.body, *(other.body for other in node.elif_), node.else_]
        case nodes.CondExpr():
            return [[node.expr1], [node.expr2] if node.expr2 else []]
        case nodes.Or():
            return [[node.left], [node.right]]
        case nodes.Getitem(node=nodes.Dict(items=pairs)):
            return [[pair.value] for pair in pairs]
    return []


def _calculated(node: "nodes.Node") -> str:
    from jinja2 import nodes

    match node:
        case nodes.BinExpr():
            left, right = (
                f"({_calculated(n)})" if isinstance(n, nodes.BinExpr) else _calculated(n)
                for n in (node.left, node.right)
            )
            return f"{left} {node.operator} {right}"
        case nodes.Name():
            return node.name
    return _words(node, "")


def _one_of(texts: Iterable[str]) -> str:
    given = list(dict.fromkeys(texts))
    some = " | ".join(filter(None, given))
    return some if len(given) == 1 else f"[{some}]" if "" in given else f"{{{some}}}"
