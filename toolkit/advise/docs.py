"""The page of rules, made from the rules."""

from __future__ import annotations

from dataclasses import asdict

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Rule
from iosq.toolkit.sql.questions import Question

_HEAD = """# Rules

What `iosq report` and `iosq advise` look for. Each rule is a question to the views and a judgement of its answer; a
threshold is one number with its source. `iosq describe` and the name of a rule prints the same, with the question. To
change a threshold for a site, put it into `iosq.toml`:

```toml
[thresholds.alias_pool_dry]
denied_ratio = 0.01
```
"""


def _thresholds(rule: Rule) -> str:
    if not rule.thresholds:
        return "Thresholds: none.\n"
    rows = [
        f"| `{name}` | {t.value:g} {t.unit} | {t.meaning} | {t.era} | {t.source} |"
        for name, t in rule.thresholds.items()
    ]
    return "\n".join(["| Threshold | Value | Of what | Era | Source |", "|---|---|---|---|---|", *rows]) + "\n"


def section(rule: Rule) -> str:
    """What the page says of one rule."""
    return f"""## {rule.code}

{rule.title}.

**Finds.** {rule.finds}

**Matters because.** {rule.matters}

**Evidence.** {rule.evidence}

**Wrong when.** {rule.wrong_when}

**Do.** {rule.do}

{_thresholds(rule)}"""


def markdown() -> str:
    """`docs/reference/rules.md`: every rule with its evidence, thresholds and limits."""
    return "\n".join([_HEAD, *(section(rule) for rule in all_rules())])


def described(rule: Rule) -> str:
    """A rule for the screen: what its page says, then its question."""
    return f"{section(rule)}\nAsks:\n\n{rule.question.sql}"


def facts(rule: Rule) -> dict[str, object]:
    """A rule for programs."""
    told = {
        name: getattr(rule, name) for name in ("title", "topic", "finds", "matters", "evidence", "wrong_when", "do")
    }
    thresholds = [{"name": name, **asdict(t)} for name, t in rule.thresholds.items()]
    return {"name": rule.code, "kind": "rule", **told, "thresholds": thresholds, "question": _question(rule.question)}


def _question(question: Question) -> dict[str, object]:
    return {"grain": question.grain, "columns": [asdict(c) for c in question.columns], "sql": question.sql}
