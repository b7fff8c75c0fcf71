"""The report as a JSON document holds what its schema says, and what its SQL gives."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from report_page import Page

import iosq
from iosq.toolkit.show.values import plain

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "reference" / "report.schema.json").read_text("utf-8"))


@pytest.fixture(scope="module")
def document(page: Page, tmp_path_factory: pytest.TempPathFactory) -> tuple[iosq.Lake, dict[str, Any]]:
    """The document of the sample, with its lake."""
    lake, path = iosq.open(page.path.with_name("lake")), tmp_path_factory.mktemp("document") / "report.json"
    lake.report(path)
    return lake, json.loads(path.read_text("utf-8"))


def test_a_document_has_the_form_of_its_schema(document: tuple[iosq.Lake, dict[str, Any]]) -> None:
    Draft202012Validator.check_schema(SCHEMA)
    Draft202012Validator(SCHEMA, format_checker=Draft202012Validator.FORMAT_CHECKER).validate(document[1])
    assert len(document[1]["findings"]) == len(json.loads(document[0].advise("all").json())) > 0


def test_its_sql_gives_the_rows(document: tuple[iosq.Lake, dict[str, Any]]) -> None:
    lake, content = document
    tables = [t for t in content["tables"] if t["sql"] and t["rows"]]
    assert len(tables) > 10
    for table in tables:
        names = [c["name"] for c in table["columns"]]
        rows = [[plain(row[name]) for name in names] for row in lake.arrow(table["sql"]).to_pylist()]
        assert table["rows"] == [
            [pytest.approx(v, rel=1e-9) if isinstance(v, float) else v for v in row] for row in rows
        ]


@pytest.mark.parametrize(
    ("table", "column", "source", "field"),
    [
        ("volumes", "wait_ms", "smf74.1", "SMF74IOS"),
        ("lcu_queues", "css_delay_ms", "smf78.3", "R783CSST"),
        ("ranks", "rank", "smf74.8", "R748"),
    ],
)
def test_columns_name_record_fields(
    document: tuple[iosq.Lake, dict[str, Any]], table: str, column: str, source: str, field: str
) -> None:
    (found,) = (t for t in document[1]["tables"] if t["name"] == table)
    (origin,) = (c["origin"] for c in found["columns"] if c["name"] == column)
    assert any(field in f["formula"] and f["source"] == source for o in origin for f in o["fields"])
