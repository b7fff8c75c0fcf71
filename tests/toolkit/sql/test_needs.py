"""What a query has no rows without."""

import pytest

from iosq.toolkit.errors import LakeError
from iosq.toolkit.reference.needs import Reader


@pytest.mark.parametrize(
    ("sql", "needs"),
    [
        ("SELECT * FROM a", "a"), ("SELECT 1 AS one", ""), ("SELECT * FROM A JOIN b USING (x)", "a b"),
        ("SELECT * FROM a LEFT JOIN b USING (x)", "a"), ("SELECT * FROM a RIGHT JOIN b USING (x)", "b"),
        ("SELECT * FROM a FULL JOIN b USING (x)", ""), ("SELECT * FROM a, b", "a b"),
        ("SELECT * FROM a CROSS JOIN b", "a b"), ("SELECT * FROM a WHERE x NOT IN (SELECT x FROM b)", "a"),
        ("SELECT * FROM a SEMI JOIN b USING (x)", "a b"), ("SELECT * FROM a UNION ALL SELECT * FROM b", ""),
        ("SELECT * FROM a UNION SELECT c.* FROM c JOIN a USING (x)", "a"),
        ("SELECT * FROM a EXCEPT SELECT * FROM b", "a"), ("SELECT sum(x) AS x FROM a", ""),
        ("SELECT 1 + 2 * sum(x) AS x FROM a", ""), ("SELECT sum(x) OVER () AS x FROM a", "a"),
        ("SELECT count(*) AS n FROM a HAVING count(*) > $least", ""), ("SELECT collect_list(x) AS x FROM a", ""),
        ("SELECT x, sum(y) AS y FROM a GROUP BY x", "a"), ("SELECT x, sum(y) AS y FROM a GROUP BY ROLLUP (x)", ""),
        ("WITH w AS (SELECT * FROM a), v AS (SELECT * FROM w JOIN b USING (x)) SELECT * FROM v", "a b"),
        ("WITH a AS (SELECT * FROM (SELECT * FROM b) AS a) SELECT * FROM a", "b"),
        ("SELECT * FROM (SELECT max(x) AS x FROM a) AS most JOIN b USING (x)", "b"),
    ],
)  # fmt: skip
def test_it_needs_what_its_from_and_inner_joins_lead_to(sql: str, needs: str) -> None:
    assert Reader().needed("one.sql", sql) == frozenset(needs.split())


def test_a_text_that_is_no_select_is_named() -> None:
    with pytest.raises(LakeError, match=r"^one\.sql: "):
        Reader().needed("one.sql", "SELECT FROM WHERE")
