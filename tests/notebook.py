"""Runs the cells of the example notebook: `python -m tests.notebook` writes their outputs into it."""

import ast
import io
import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import polars as pl

NOTEBOOK = Path(__file__).parents[1] / "docs" / "guides" / "first-lake.ipynb"
Cell = dict[str, Any]


def read() -> list[Cell]:
    """The cells of the notebook."""
    cells: list[Cell] = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    return cells


def executed(cells: list[Cell], folder: Path) -> list[Cell]:
    """The cells with the outputs of a run in an empty folder."""
    names: dict[str, Any] = {}
    with _inside(folder), pl.Config(tbl_width_chars=100):  # whatever the terminal
        return [{**c, "outputs": _outputs(c, names)} if c["cell_type"] == "code" else c for c in cells]


def _outputs(cell: Cell, names: dict[str, Any]) -> list[Cell]:
    """What the cell prints, and the value of its last expression as a notebook shows it."""
    *body, last = ast.parse("".join(cell["source"])).body
    shown, printed = None, io.StringIO()
    with redirect_stdout(printed):
        if isinstance(last, ast.Expr):
            exec(compile(ast.Module(body, []), "cell", "exec"), names)
            shown = eval(compile(ast.Expression(last.value), "cell", "eval"), names)
        else:
            exec(compile(ast.Module([*body, last], []), "cell", "exec"), names)
    text = printed.getvalue()
    stream = [{"name": "stdout", "output_type": "stream", "text": text.splitlines(keepends=True)}] if text else []
    return stream + ([] if shown is None else [_result(shown, cell["execution_count"])])


def _result(value: Any, count: int) -> Cell:
    data = {"text/plain": repr(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return {"data": data, "execution_count": count, "metadata": {}, "output_type": "execute_result"}


@contextmanager
def _inside(folder: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def main() -> None:
    """Write the notebook with its outputs."""
    with tempfile.TemporaryDirectory() as folder:
        whole = json.loads(NOTEBOOK.read_text("utf-8"))
        whole["cells"] = executed(whole["cells"], Path(folder))
    NOTEBOOK.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main()
