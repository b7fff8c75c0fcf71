"""The page of rules, made from the rules."""

from __future__ import annotations

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.finding import Rule

_HEAD = """# Rules

What `iosq report` and `iosq advise` look for. Each rule is a query over promised views and a judgement of its rows; a
threshold is one number with its source. To change one for a site, put it into `iosq.toml`:

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


def _section(rule: Rule) -> str:
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
    return "\n".join([_HEAD, *(_section(rule) for rule in all_rules())])
