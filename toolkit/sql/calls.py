"""Allowed statements and forbidden functions: those that change settings, write files, or run a text as SQL.

They are found in the engine's own tokens, because simpler methods miss names next to comments and quotes.
"""

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

import duckdb

from iosq.toolkit.errors import RequestError

# in addition to switches, what takes addresses in memory: a wrong one ends the process
_FORBIDDEN = re.compile(
    r"(?:enable|disable|force|truncate)_\w+|(?:create|destroy|register|deregister)_external_\w+|duckdb_external_resources"
    r"|(?:add|remove)_grammar_\w+"
    r"|checkpoint|write_log|json_execute_serialized_sql|json_serialize_plan|(?:python_)?(?:arrow|pandas)_scan(?:_dumb)?"
    r"|python_map_function",
    re.IGNORECASE,
)
_RUNS_TEXT = re.compile("query", re.IGNORECASE)
# in small letters, where it is found in a third of the time; in a comment or text as well
_SUSPECT = re.compile(f"{_FORBIDDEN.pattern}|{_RUNS_TEXT.pattern}")
_NAME = re.compile(r'"((?:[^"]|"")*)"|\w+')
_TEXT = re.compile(r"'((?:[^']|'')*)'\s*")  # of two texts in a row the engine makes one


_READS = frozenset({"select", "from", "with", "pivot", "pivot_wider", "("})
_WRITES = frozenset({"insert", "update", "delete", "merge"})
_PIVOTS = frozenset({"pivot", "pivot_wider"})
_COMMENT = ("--", "/*")


def begins_with(sql: str, word: str) -> bool:
    """True if this word is a statement's first."""
    return _word(next(_tokens(sql), "")) == word.lower()


def is_pivot(sql: str) -> bool:
    """True if one statement that reads is several to the engine: a PIVOT first looks up its columns."""
    words = [_word(token) for token in _tokens(sql)]
    while words and words[-1] == ";":
        words.pop()
    return words[:1] != [] and words[0] in _READS and _PIVOTS & {*words} != set() and not {";", *_WRITES} & {*words}


def explained_part(sql: str) -> str:
    """The statement that an EXPLAIN is about."""
    found = list(_tokens(sql))[1:]
    words = [_word(token) for token in found]
    if words[:1] == ["analyze"]:
        return "".join(found[1:])
    depths = list(accumulate({"(": 1, ")": -1}.get(word, 0) for word in words))
    return "".join(found[depths.index(0) + 1 :] if words[:1] == ["("] else found)


def _word(token: str) -> str:
    found = _NAME.match(token)
    return found[0].lower() if found else token[:1]


def check_calls(sql: str, check: Callable[[str], None]) -> None:
    """Refuse calls of functions that do more than read, in a statement that parses; RequestError names the function.

    `check`: the test that statements of `query` must pass.
    """
    if not _SUSPECT.search(sql.lower()):  # most statements: taking them apart costs a third of parsing them
        return
    tokens = [*_tokens(sql), "", "", ""]
    for called, opens, given, closes in zip(tokens, tokens[1:], tokens[2:], tokens[3:], strict=False):
        if not opens.startswith("(") or not (found := _NAME.match(called)):
            continue
        name = (found[1] or found[0]).lower()
        if _FORBIDDEN.fullmatch(name):
            raise RequestError(f"{name} is not allowed here", remedy="a query only reads")
        if _RUNS_TEXT.fullmatch(name):
            check(_plain(given, closes))


def _plain(given: str, closes: str) -> str:
    """The text that `query` is called with, if it is one that can be read here."""
    found = _TEXT.fullmatch(given)
    if not found or not closes.startswith(")"):
        raise RequestError("query() takes one text in single quotes here", remedy="write the SELECT itself")
    return found[1].replace("''", "'")


def _tokens(sql: str) -> Iterator[str]:
    """The engine's tokens, each with the blanks and comments behind it."""
    coded = sql.encode()
    starts = [at for at, _ in duckdb.tokenize(sql)]
    for begin, end in zip(starts, [*starts[1:], len(coded)], strict=True):
        token = coded[begin:end].decode()
        if not token.startswith(_COMMENT):
            yield token
