"""The models compared with every published study, anew: `python -m tests.validate` (minutes of one processor).

Writes `models/validation/`, what `iosq validate` shows. With a file's name the page of tables goes there too.
"""

import json
import sys
from pathlib import Path

from iosq.toolkit.rows import NewRow
from tests.validate.page import checks, markdown, rows
from tests.validate.run import studies, validate

FOLDER = Path(__file__).parents[2] / "models" / "validation"


def written(found: list[NewRow]) -> str:
    """A row in each line, so that changes can be read."""
    lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in found)
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    for name in studies():
        (FOLDER / f"{name}.json").write_text(written(rows(name)), "utf-8")
    for target in sys.argv[1:]:
        every = [check for name in studies() for check in checks(name)]
        Path(target).write_text(markdown(validate(), every), "utf-8")
