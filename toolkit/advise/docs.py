"""The page of rules, made from the rules."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from iosq.toolkit.advise.catalog import all_rules, renamed, shared_thresholds
from iosq.toolkit.advise.finding import Rule
from iosq.toolkit.advise.outline import NOTATION, outlined
from iosq.toolkit.advise.table import ALWAYS
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.thresholds import Shared, Threshold
from iosq.toolkit.sql.describe import Description

_HEAD = """# Rules

What `iosq report` and `iosq advise` look for. Each rule is a question to the views and a judgement of its answer; a
threshold is one number with its source. `iosq describe` and the name of a rule prints the same, with `--sql` also the
question. In outcomes, `<a>` stands for a value, {a | b} for one of several texts, and [a] for a text that may be left
out. To change a threshold for a site, put it into `iosq.toml`:

```toml
[thresholds.alias_pool_dry]
denied_ratio = 0.01
```
"""
_SHARED = """## Shared thresholds

Used by several rules and predictions; in `iosq.toml` under the names below, as `[thresholds.top_waiter]`.
"""


def _thresholds(thresholds: Mapping[str, Threshold]) -> str:
    if not thresholds:
        return "Thresholds: none.\n"
    rows = [
        f"| `{name}` | {t.value:g} {t.unit} | {t.meaning} | {t.era} | {t.source} |" for name, t in thresholds.items()
    ]
    return "\n".join(["| Threshold | Value | Of what | Era | Source |", "|---|---|---|---|---|", *rows]) + "\n"


def _sections(rule: Rule) -> dict[str, str]:
    return {
        "Finds": f"{rule.question.title}.",
        "Matters because": rule.matters,
        "Evidence": rule.evidence,
        "Wrong when": rule.wrong_when,
        "Do": rule.do,
    }


def _outcomes(rule: Rule, code: str = "") -> list[str]:
    """Its decision table, a line for each outcome, with `code` around SQL and columns."""
    mark = "" if rule.asked is rule.question else code
    lines = [
        f"{_plainly(severity)}, if {mark}{when}{mark}: {outlined(do, code)}" for when, severity, do in rule.outcomes
    ]
    return [f"{number}. {line}" for number, line in enumerate(lines, 1)]


def _plainly(severity: str) -> str:
    """`act if has_slow else watch`."""
    return severity.strip("{ }").replace("'", "")


def _head(rule: Rule, code: str = "") -> str:
    common = "" if rule.common in ("", ALWAYS) else f" of rows with {code}{rule.common}{code}"
    return f"Outcomes{common}, the first that holds"


def section(rule: Rule) -> str:
    """The section of the page about one rule."""
    body = "\n\n".join(f"**{head}.** {text}" for head, text in _sections(rule).items())
    body += f"\n\n{_head(rule, '`')}:\n\n" + "\n".join(_outcomes(rule, "`")) if rule.outcomes else ""
    return f"## {rule.code}\n\n{rule.title}.\n\n{body}\n\n{_thresholds(rule.thresholds)}"


def plain(rule: Rule) -> str:
    """The same for a terminal: a paragraph a line, thresholds below each other."""
    body = "\n\n".join(f"{head}: {text}" for head, text in _sections(rule).items())
    numbers = "\n".join(
        f"  {name} = {t.value:g} {t.unit}: {t.meaning} (era: {t.era}; {t.source})"
        for name, t in rule.thresholds.items()
    )
    table = "".join(f"\n  {line}" for line in _outcomes(rule))
    body += f"\n\n{_head(rule)}:{table}\n  {NOTATION}" if table else ""
    return f"{body}\n\nThresholds, to be set in iosq.toml:\n{numbers or '  none'}"


def _sql(rule: Rule) -> str:
    more = (f"\n\n-- {q.title}\n{q.sql}" for q in rule.questions.values())
    return "".join([rule.question.sql, *more])


def _shared(group: Shared) -> str:
    return f"### {group.code}\n\n{group.title}.\n\n{_thresholds(group.thresholds)}"


def markdown() -> str:
    """`docs/reference/rules.md`: every rule with its evidence, thresholds and limits."""
    shared = (_shared(group) for group in shared_thresholds())
    return "\n".join([_HEAD, *(section(rule) for rule in all_rules()), _SHARED, *shared])


def description(name: str, otherwise: Callable[[], Description]) -> Description:
    """The description of a name in any case, with the rule of that name if any; a view and a rule may share a name.

    Raises:
        RequestError: there is no object or rule of that name.
    """
    rule = next(
        (rule for rule in all_rules() if rule.code == renamed().get(name.strip().lower(), name.strip().lower())), None
    )
    if rule is None:
        return otherwise()
    try:
        view = otherwise()
        return replace(view, text=plain(rule), sql=f"-- the view\n{view.sql}\n\n-- the rule\n{_sql(rule)}")
    except RequestError:
        return Description(rule.code, "rule", rule.title, "", (), (), (), plain(rule), _sql(rule))
