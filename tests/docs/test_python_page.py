"""The page of the Python interface describes the views by their own titles."""

from iosq.toolkit.reference.python import python_markdown
from iosq.toolkit.sql.catalog import views


def test_every_promised_view_is_described_by_its_title() -> None:
    page = python_markdown()
    assert [v.name for v in views() if v.layer == "promised" and f"- `lake.{v.name}`: {v.title}." not in page] == []
