"""The page of the glossary."""

from iosq.toolkit.show.glossary import terms

_HEAD = """# Glossary

One term per concept, from z/OS and z/VM where one exists. `iosq describe WORD` searches the glossary.

| term | also | column | meaning |
|---|---|---|---|
"""


def glossary_markdown() -> str:
    """`docs/reference/glossary.md`."""
    rows = (f"| {t.term} | {t.also} | {f'`{t.columns}`' if t.columns else ''} | {t.meaning} |" for t in terms())
    return _HEAD + "\n".join(rows) + "\n"
