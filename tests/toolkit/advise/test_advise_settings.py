"""Thresholds of a site: read, checked, and in force."""

from typing import Any

import pytest

from iosq.toolkit.advise.settings import thresholds
from iosq.toolkit.errors import RequestError
from iosq.tools import describe


def test_numbers_of_known_thresholds_are_taken() -> None:
    given = {"lake": "x", "thresholds": {"slow_path": {"pacing_ms": 1}, "closed_load": {"tried_more": 0.1}}}
    assert thresholds(given) == {"slow_path": {"pacing_ms": 1.0}, "closed_load": {"tried_more": 0.1}}
    assert thresholds({}) == {}


def test_a_threshold_is_set_once_for_all_rules_that_use_it() -> None:
    """`slow_path` defines it; `pend_unexplained` has its own value, `disc_unexplained` the site's."""
    found = thresholds({"thresholds": {"slow_path": {"io_rate": 5}, "pend_unexplained": {"io_rate": 7}}})
    assert found["disc_unexplained"] == {"io_rate": 5.0} and found["pend_unexplained"] == {"io_rate": 7.0}


def test_a_rule_takes_limits_under_the_name_it_had_before() -> None:
    assert thresholds({"thresholds": {"disc_untold": {"above_ms": 9}}})["disc_unexplained"] == {"above_ms": 9.0}
    both = {"pav_closed_load": {"most": 9}, "pool_closed_load": {"tried_more": 2}}
    assert thresholds({"thresholds": both})["closed_load"] == {"most": 9.0, "tried_more": 2.0}
    assert describe("pool_closed_load") == describe("closed_load")
    assert thresholds({"thresholds": {"whose_wait": {"share": 0.3}}}) == {"top_waiter": {"share": 0.3}}
    assert thresholds({"thresholds": {"whose_wait": {"share": 0.3}}}) == {"top_waiter": {"share": 0.3}}


def test_shared_thresholds_are_a_site_s_own_too() -> None:
    assert thresholds({"thresholds": {"top_waiter": {"share": 0.3}}}) == {"top_waiter": {"share": 0.3}}


@pytest.mark.parametrize(
    "given, text",
    [
        ({"slow_pat": {}}, "there is no rule slow_pat; did you mean slow_path?"),
        ({"slow_path": {"above": 1}}, "there is no threshold above; did you mean above_ms?"),
        ({"slow_path": {"above_ms": "1"}}, "above_ms = '1' is not a number"),
        ({"slow_path": {"above_ms": True}}, "above_ms = True is not a number"),
        ({"slow_path": 3}, "must be a table of numbers"),
        (3, "must be a table of tables"),
    ],
)
def test_a_mistake_is_named_with_its_place(given: Any, text: str) -> None:
    with pytest.raises(RequestError, match=r"^iosq\.toml, \[thresholds") as caught:
        thresholds({"thresholds": given})
    assert text in str(caught.value)
