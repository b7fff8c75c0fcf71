"""SQL shared by several views or queries: Jinja macros, a file of `macros/` each, rendered by minijinja.

    {# Why it is there, what comes out, what it wants. #}
    {% macro best_of(value, relation, keys) -%}
    SELECT {{ keys }}, min({{ value }}) AS best_ms FROM {{ relation }} GROUP BY {{ keys }}
    {%- endmacro %}

Views, questions and other macros call it by name: `best AS ({{ best_of("pend_ms", "seen", "platform, system") }})`.
"""

import re
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING

from iosq.toolkit.errors import LakeError

if TYPE_CHECKING:
    from minijinja import Environment

# a call, and how far its line is indented
_CALL = re.compile(r"^( *)(.*?\{\{ \w+\([^}]*\))(?= \}\})", re.MULTILINE)
_LIBRARY = "macros"


@cache
def shipped() -> dict[str, str]:
    """The text of every macro of the toolkit by its name, which is that of its file."""
    folder = files("iosq.toolkit.sql").joinpath("macros")
    found = sorted((f for f in folder.iterdir() if f.name.endswith(".sql")), key=lambda f: f.name)
    return {f.name.removesuffix(".sql"): f.read_text("utf-8") for f in found}


def expanded(sql: str, place: str) -> str:
    """SQL with the text of each macro it calls; further lines of a macro are indented like the line of the call.

    LakeError about file and line if a macro is not known or lacks an argument, or the text is not a template.
    """
    if "{" not in sql:
        return sql
    from minijinja import TemplateError

    names = ", ".join(shipped())
    try:
        return _environment().render_str(f"{{% from '{_LIBRARY}' import {names} %}}{_indented(sql)}", place)
    except TemplateError as e:
        raise LakeError(f"line {e.line}: {e.message}", place=e.name or place) from e


@cache
def _environment() -> "Environment":
    from minijinja import Environment

    library = "\n".join(_indented(text) for text in shipped().values())
    return Environment(templates={_LIBRARY: library}, undefined_behavior="strict")


def _indented(sql: str) -> str:
    """The text with the indentation of its line given to each call."""
    return _CALL.sub(lambda m: f"{m[0]}|indent({len(m[1])})" if m[1] else m[0], sql)
