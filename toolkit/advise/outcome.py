"""One outcome of a rule's decision table, and the finding that it makes of a row."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import cast

from iosq.toolkit.advise import subject as subjects
from iosq.toolkit.advise.finding import Aliases, Effect, Finding, Number, Severity, Verdict
from iosq.toolkit.advise.subject import Subject, listed
from iosq.toolkit.advise.templates import is_true, rendered
from iosq.toolkit.advise.window import episode, period, rests_on
from iosq.toolkit.rows import Row
from iosq.toolkit.sql.questions import load


@dataclass(frozen=True, slots=True)
class Outcome:
    """The finding of a rule if its condition is true: its `entries` in `rule.toml`, with columns in place of SQL.

    `texts` and `phrases` are its templates.
    """

    code: str
    place: str
    entries: Row
    phrases: dict[str, str]
    texts: Mapping[str, str]

    def named(self, key: str) -> frozenset[str]:
        """The names that it lists under a key."""
        return frozenset(self.entries.get(key, ()))

    def holds(self, r: Row, limits: Mapping[str, float]) -> bool:
        """True if the condition on the columns of the model is true."""
        return "if" not in self.entries or is_true(self.entries["if"], {**r, "limits": limits}, self.place)

    def finding(self, r: Row, limits: Mapping[str, float]) -> Finding:
        """The finding about a row."""
        e, predicted = self.entries, self.named("predicted")
        subject = _subject(e["subject"], r, self.place)
        row = self._words({**r, "limits": limits, "subject": str(subject)})
        text, details, advice = (self._text(self.texts[key], row) for key in ("text", "details", "advice"))
        return Finding(
            severity=cast("Severity", self._text(e["severity"], row)),
            subject=subject,
            text=text,
            details=details,
            advice=advice,
            numbers=(*(self._number(name, row[column], unit, row) for name, column, unit in e["numbers"]), *_bad(r)),
            sql=self._sql(row, limits),
            lost_s=row[e["lost_s"]] or 0.0,
            capacity=row[e["capacity"]] if "capacity" in e else None,
            confidence=self._text(e.get("confidence", "high"), row),
            effect=self._effect(row),
            covers=frozenset(
                (rule, s) for entry in e.get("covers", ()) for rule in entry["rules"] for s in each_subject(entry, row)
            ),
            explains=self.named("explains"),
            part_of=self.named("part_of"),
            aliases=self._aliases(row),
            about=frozenset(s for entry in e.get("about", ()) for s in each_subject(entry, row)),
            when=episode(r) if "window_start" in r else None,
            curve=row["curve"] if "curve" in predicted else None,
            hours=row["hours"] if "hours" in predicted else (),
            form=self._form(row),
        )

    def _form(self, row: Row) -> str:
        """Its words without their values, and the columns in which findings differ that stay apart."""
        words = (rendered(self.spelled(key), row, self.place, blank=True) for key in ("text", "advice", "sql"))
        return " ".join([*words, *(f"{name} {row[name]}" for name in self.entries.get("keyed", ()))])

    def spelled(self, key: str) -> str:
        """The template of a text, with its phrases in their places."""
        text = self.texts[key]
        for name in reversed(self.phrases):
            text = text.replace(f"{{{{ {name} }}}}", self.phrases[name])
        return text

    def _words(self, row: dict[str, object]) -> Row:
        """The row with when it was bad and all phrases, as templates may use them."""
        row["period"] = period(row) if row.get("window_start") else ""
        row["rests_on"] = rests_on(row) if "system_names" in row else ""
        for name, phrase in self.phrases.items():
            row[name] = self._text(phrase, row)
        return row

    def _text(self, template: str, row: Row) -> str:
        return rendered(template, row, self.place)

    def _sql(self, row: Row, limits: Mapping[str, float]) -> str:
        """The evidence SQL: a template, or a file of the rule with parameters."""
        text = self._text(self.texts["sql"], row)
        if not text.endswith(".sql"):
            return text
        question = load(f"iosq.toolkit.advise.rules.{self.code}", text)
        known = {**row, "start": row.get("window_start"), "end": row.get("window_end"), **limits}
        values = {name: known[name] for name in question.asked_with}
        return question.spelled(**{n: v if isinstance(v, float | int) else str(v) for n, v in values.items()})

    def _number(self, name: str, value: float | None, unit: str, row: Row) -> Number:
        shown = 100 * value if unit == "%" and value is not None else value
        return Number(self._text(name, row), shown, unit)

    def _effect(self, row: Row) -> Effect | None:
        """The effect; None if the row lacks one of its ends."""
        e = self.entries["effect"]
        if not e:
            return row["effect"] if "effect" in self.named("predicted") else None
        values = {end: row[e[end]] for end in ("now", "value", "low", "high")}
        if None in values.values():
            return None
        ends = {end: 100 * value if e.get("unit") == "%" else value for end, value in values.items()}
        texts = {key: self._text(e[key], row) for key in ("what", "basis")}
        known = e.get("identifiable", True)
        known = row[known] if isinstance(known, str) else known
        return Effect(texts["what"], e.get("unit", "ms"), **ends, basis=texts["basis"], identifiable=known)

    def _aliases(self, row: Row) -> Aliases | None:
        columns = dict(self.entries.get("aliases", {}))
        if not columns:
            return None
        verdict = cast("Verdict", self._text(columns.pop("verdict"), row))
        named = {k: row[v] for k, v in columns.items()}
        lender = named.pop("lender", "")
        return Aliases(verdict, **{k: None if v is None else round(v) for k, v in named.items()}, lender=lender)


def _bad(r: Row) -> list[Number]:
    """How many intervals a finding with a time is about."""
    return [Number("bad intervals", r["bad_intervals"])] if r.get("window_start") else []


def _subject(entry: Row, row: Row, place: str) -> Subject:
    """The subject of an entry: names of a kind in columns, and the systems that see them."""
    kind, systems = entry["kind"], _systems(entry, row)
    if "names" not in entry and kind in _PLACES:
        return _PLACES[kind](row, systems)
    names = _names(entry, row)
    if not names and "or" in entry:
        return _subject(entry["or"], row, place)
    words = rendered(entry.get("words", ""), row, place)
    return subjects.volumes(names, systems) if kind == "volumes" else Subject(kind, tuple(names), tuple(systems), words)


# names as in the records
_PLACES: Mapping[str, Callable[[Row, list[str]], Subject]] = {
    "box": lambda row, _: subjects.box(row),
    "subsystem": lambda row, _: subjects.box(row, "subsystem"),
    "lcu": subjects.lcu_or_storage,
}


def _names(entry: Row, row: Row) -> list[str]:
    """The names in one column or several, each with `|` between names."""
    columns = entry.get("names", ())
    return [name for c in ([columns] if isinstance(columns, str) else columns) for name in listed(row[c])]


def _systems(entry: Row, row: Row) -> list[str]:
    return listed(row[entry["systems"]]) if "systems" in entry else []


def each_subject(entry: Row, row: Row) -> Iterator[Subject]:
    """One subject for each name; columns of names and systems are parallel, or one system has all names.

    Yields none if a name contains the separator, as in damaged records. A superfluous finding is better than removing
    one about another volume.
    """
    if "if" in entry and not row[entry["if"]]:
        return
    kind, names, systems = entry["kind"], _names(entry, row), _systems(entry, row)
    if "names" not in entry:
        yield _PLACES[kind](row, systems)
    elif len(systems) < 2:
        yield from (Subject(kind, (name,), tuple(systems)) for name in names)
    elif len(names) == len(systems):
        yield from (Subject(kind, (name,), (system,)) for name, system in zip(names, systems, strict=True))
