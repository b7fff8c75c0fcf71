"""Advice of rules without values: no template is left in it."""

import pytest

from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.docs import markdown
from iosq.toolkit.advise.outline import outlined
from iosq.toolkit.advise.templates import wanted


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Add {{ n | plural('alias', 'aliases') }}", "Add <n> aliases"),
        ("It takes {{ (a - 2 * b) | fixed(0) }} ms", "It takes <a - (2 * b)> ms"),
        ("Path{{ 's' if n > 1 }} {{ paths | names }}", "Path[s] <paths>"),
        ("{% if a %}Move it{% elif b %}Split it{% else %}Keep it{% endif %}", "{Move it | Split it | Keep it}"),
        (
            "Give it {{ room or 'none' }}{% if x %}. It is {{ 'a ' ~ x }}{% endif %}",
            "Give it {<room> | none}[. It is a <x>]",
        ),
    ],
)
def test_values_and_choices_are_marked(template: str, text: str) -> None:
    assert outlined(template) == text


def test_every_outcome_is_readable() -> None:
    advice = [do for rule in all_rules() for _, _, do in rule.outcomes]
    assert any(wanted(do, "") for do in advice)
    for do in map(outlined, advice):
        assert not any(mark in do for mark in ("{%", "{{ ", " is none", "()"))
        assert all(do.count(a) == do.count(b) for a, b in ("{}", "[]", "<>"))
    assert "{%" not in markdown()
