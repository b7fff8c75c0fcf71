"""A rule's decision table: outcomes in order, the first whose condition holds becomes the finding about a row.

`[finding]` of `rule.toml` holds what all outcomes share, each `[[outcome]]` what differs: `when`, `severity`,
`confidence`, `subject`, `text`, `details`, `advice`, `numbers`, `effect`, `covers`, `about`, `aliases`, `lost_s`,
`capacity`, `explains`, `part_of`, `sql`. `text` is the headline: subject, what and when, in at most 20 words.
`details` holds the sentences behind it. A text under any other key is a phrase that texts use by this name, and so are
those of `phrases.toml`.
Conditions and values are SQL over the columns of the query and `$thresholds`; texts, `severity` and `confidence` are
templates (see `templates`).
`[values]` names further columns, with macros as in queries; all rules have those of `phrases.toml`. `predicted` lists
what an outcome takes from columns of a model: `effect`, `curve`, `hours`. Of `numbers` and `more_numbers`, which an
outcome adds, a name stands for a list of `phrases.toml`. Findings that differ in names and numbers only become one, if
the columns listed as `keyed` are equal.

An outcome with nothing but `use` stands for those of that name in `phrases.toml`.

`[group]` makes one finding of several rows: the first row in `order` of those equal in `by`, with the sums of `sums`
and with `names` joined by `|`, counted as `NAME_count`; `pairs` joins names and, as `NAME_on`, the system of each.
A `model.py` next to it has a function `modelled` that adds columns. Conditions over these are expressions of templates:
`if` in place of `when`, in all outcomes.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter

from iosq.toolkit.advise.finding import Finding
from iosq.toolkit.advise.outcome import Outcome
from iosq.toolkit.advise.subject import listed
from iosq.toolkit.advise.templates import wanted
from iosq.toolkit.predict.thresholds import Threshold, insist, one_line
from iosq.toolkit.rows import NewRow, Row, grouped, toml
from iosq.toolkit.sql.catalog import ViewColumn
from iosq.toolkit.sql.macros import expanded
from iosq.toolkit.sql.questions import Question

ALWAYS = "TRUE"
_SQL_KEYS = frozenset({"when", "lost_s", "capacity", "if"})
_TEXTS = frozenset({"text", "details", "advice", "sql"})
_PLAIN = frozenset({"severity", "confidence"})
_PARTS = frozenset({"subject", "numbers", "more_numbers", "effect", "predicted", "covers", "about", "aliases", "keyed"})
_PARTS |= {"explains", "part_of"}
_LEAST = frozenset({"severity", "subject", "text", "advice", "sql"})
_EFFECT = ("now", "value", "low", "high")
_PARAMETER = re.compile(r"\$(\w+)")
_COLUMN = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Table:
    """Outcomes in order with the condition of all of them, and columns that values make: SQL by name."""

    common: str
    outcomes: tuple[Outcome, ...]
    values: Mapping[str, str]
    made: Mapping[str, str]
    group: Row

    def asked(self, query: Question, limits: Mapping[str, Threshold]) -> Question:
        """The query with the number of the outcome of each row, and with the values of texts and numbers."""
        made = "".join(f", {sql} AS {name}" for name, sql in self.made.items())
        cases = " ".join(f"WHEN {o.entries['when']} THEN {n}" for n, o in enumerate(self.outcomes))
        first = 0 if any("if" in o.entries for o in self.outcomes) else f"CASE {cases} END"
        outcome = f"CASE WHEN {self.common} THEN {first} END"
        order = f" ORDER BY {self.group['order']}" if "order" in self.group else ""
        sql = f"SELECT *, {outcome} AS outcome{made} FROM (\n{self._with_values(query.sql)}\n) AS q{order}"
        new = dict.fromkeys(name for name in _PARAMETER.findall(sql) if name not in query.asked_with)
        insist(new.keys() - limits.keys(), "has no threshold", self.outcomes[0].place.partition(",")[0])
        columns = tuple(ViewColumn(n, "DOUBLE", limits[n].unit, limits[n].meaning) for n in new)
        return replace(query, sql=sql, parameters=query.parameters + columns)

    def _with_values(self, sql: str) -> str:
        """The query with the columns of `[values]`; values that use others are in an outer query."""
        left = dict(self.values)
        while left:
            near = {n: v for n, v in left.items() if not (left.keys() - {n}) & set(_COLUMN.findall(v))}
            insist(set() if near else left.keys(), "values use each other:", self.outcomes[0].place)
            columns = ", ".join(f"{value} AS {name}" for name, value in near.items())
            sql = f"SELECT *, {columns} FROM (\n{sql}\n) AS q"
            left = {n: v for n, v in left.items() if n not in near}
        return sql

    def judge(self, rows: Iterable[Row], limits: Mapping[str, float]) -> Iterator[Finding]:
        """Findings from the result of `asked`."""
        found = (r for r in rows if r["outcome"] is not None)
        for r in self._grouped(found) if self.group else found:
            chosen = next((o for o in self.outcomes[r["outcome"] :] if o.holds(r, limits)), None)
            if chosen:
                yield chosen.finding(r, limits)

    def _grouped(self, rows: Iterable[Row]) -> Iterator[Row]:
        for members in grouped(rows, lambda r: tuple(r[name] for name in self.group["by"])).values():
            yield {**members[0], **self._of_group(members), "members": len(members)}

    def _of_group(self, members: list[Row]) -> Row:
        """Sums, names with their counts, and pairs of the rows of a group."""
        names = {new: _joined([m[old] for m in members]) for new, old in self.group.get("names", {}).items()}
        made: NewRow = {name: _sum([m[name] for m in members]) for name in self.group.get("sums", ())}
        made |= names | {f"{new}_count": len(listed(joined)) for new, joined in names.items()}
        for name, of in self.group.get("pairs", {}).items():
            each = [(one, m[of]) for m in members for one in listed(m[name])]
            made |= {name: "|".join(one for one, _ in each), f"{name}_on": "|".join(on for _, on in each)}
        return made


def _sum(values: list[float | None]) -> float | None:
    """Unknown where one is."""
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


def _joined(values: list[str | None]) -> str:
    """Distinct values in order; a value may hold several."""
    return "|".join(sorted({name for value in values for name in listed(value)}))


def table(header: Row, code: str) -> Table:
    """The decision table of a rule.

    Raises:
        LakeError: a key is missing or a template is wrong; names the file and the outcome.
    """
    shared, each = header["finding"], list(_outcomes(header))
    is_mixed = any("if" in own for own in each) and any("when" in own for own in each)
    insist({"when"} if is_mixed else (), "mixes if and", f"{code}/rule.toml")
    made: dict[str, str] = {}
    outcomes = tuple(
        _outcome(_merged(shared, own), code, f"{code}/rule.toml, outcome {n}", made) for n, own in enumerate(each, 1)
    )
    keys = set().union(shared, *each) - _SQL_KEYS - _PLAIN - _PARTS - _TEXTS
    insist(keys - set().union(*(o.phrases for o in outcomes)), "uses in no text", f"{code}/rule.toml")
    return Table(shared.get("when", ALWAYS), outcomes, _values(header), made, header.get("group", {}))


def _outcomes(header: Row) -> Iterator[Row]:
    """The outcomes of a rule; with `use` those of `phrases.toml` by that name."""
    for own in header.get("outcome", [{}]):
        yield from phrases()["outcomes"][own["use"]] if "use" in own else [own]


def _values(header: Row) -> dict[str, str]:
    """The columns of a rule's `[values]`, and those shared by rules that it names."""
    named = set(_COLUMN.findall(str(header)))
    own = {n: expanded(sql, f"values.{n}") for n, sql in header.get("values", {}).items()}
    return {n: sql for n, sql in phrases()["values"].items() if n in named} | own


def _merged(shared: Row, own: Row) -> NewRow:
    """The shared keys of all outcomes, overridden by those of one outcome."""
    effect = {**shared.get("effect", {}), **own.get("effect", {})}
    effect = {k: one_line(v) if isinstance(v, str) else v for k, v in effect.items()}
    numbers = [*own.get("numbers", shared.get("numbers", ())), *own.get("more_numbers", ())]
    groups = [phrases()["numbers"][n] if isinstance(n, str) else [n] for n in numbers]
    made = {"when": own.get("when", ALWAYS), "effect": effect, "numbers": [n for group in groups for n in group]}
    return {**shared, **own, **made}


def _outcome(entries: NewRow, code: str, place: str, made: dict[str, str]) -> Outcome:
    insist(_LEAST - entries.keys(), "lacks", place)
    texts = {k: one_line(v) for k, v in entries.items() if k not in _SQL_KEYS | _PLAIN | _PARTS}
    insist({k for k, v in texts.items() if not isinstance(v, str)}, "is no text:", place)
    effect = entries["effect"]
    spoken = [*(texts.get(k, "") for k in sorted(_TEXTS)), *_small_texts(entries, texts)]
    shared = {name: text for name, text in phrases().items() if isinstance(text, str)}
    used = _in_order({**shared, **{k: v for k, v in texts.items() if k not in _TEXTS}}, spoken, place)
    effect = effect | {end: _column(str(effect.get(end, effect["now"])), made) for end in _EFFECT if effect}
    numbers = [(n[0], _column(n[1], made), n[2] if n[2:] else "") for n in entries["numbers"]]
    columns: NewRow = {"effect": effect, "numbers": numbers, "lost_s": _column(str(entries.get("lost_s", "0.0")), made)}
    if "capacity" in entries:
        columns["capacity"] = _column(entries["capacity"], made)
    return Outcome(code, place, entries | columns, used, {k: texts.get(k, "") for k in sorted(_TEXTS)})


def _small_texts(entries: Row, texts: Row) -> Iterator[str]:
    """Templates other than sentences, and the phrases used as numbers."""
    yield from (entries["severity"], entries.get("confidence", ""))
    yield from (entries["effect"].get(key, "") for key in ("what", "basis"))
    yield entries["subject"].get("words", "")
    for name, value, *_ in entries["numbers"]:
        yield from (name, f"{{{{ {value} }}}}" if value in texts else "")


@cache
def phrases() -> Row:
    """What several rules use: phrases; `numbers`, lists; `values`, columns as SQL; `outcomes`; `same`, thresholds."""
    entries = toml("iosq.toolkit.advise", "phrases.toml")
    return {name: one_line(entry) if isinstance(entry, str) else entry for name, entry in entries.items()}


def _column(sql: str, made: dict[str, str]) -> str:
    """The column of an expression's value, added if the query lacks it."""
    if _COLUMN.fullmatch(sql) and not sql.isdigit():
        return sql
    return next((name for name, known in made.items() if known == sql), None) or _new(sql, made)


def _new(sql: str, made: dict[str, str]) -> str:
    name = f"value_{len(made)}"
    made[name] = sql
    return name


def _in_order(phrases: Mapping[str, str], texts: Iterable[str], place: str) -> dict[str, str]:
    """The phrases that texts use, each behind those that it uses itself."""
    uses = {name: wanted(text, f"{place}, {name}") & phrases.keys() for name, text in phrases.items()}
    left = list(set().union(*(wanted(text, place) for text in texts)) & phrases.keys())
    needed: dict[str, set[str]] = {}
    while left:
        name = left.pop()
        needed[name] = uses[name]
        left.extend(uses[name] - needed.keys())
    return {name: phrases[name] for name in TopologicalSorter(needed).static_order()}
