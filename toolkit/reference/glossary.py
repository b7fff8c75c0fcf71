"""The page of the glossary."""

from __future__ import annotations

from iosq.toolkit.show.glossary import terms

_HEAD = """# Glossary

One term per thing; the field's own term where there is one. `iosq describe WORD` searches it.

| term | also | column | meaning |
|---|---|---|---|
"""


def glossary_markdown() -> str:
    """`docs/reference/glossary.md`."""
    rows = (f"| {t.term} | {t.also} | {f'`{t.columns}`' if t.columns else ''} | {t.meaning} |" for t in terms())
    return _HEAD + "\n".join(rows) + "\n"
