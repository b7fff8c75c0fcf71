"""Reference pages generated from the layouts and issue codes, for `docs/reference/`."""

from collections.abc import Iterator

from iosq.parsers.smf.codes import codes
from iosq.parsers.smf.layout import Chain, Field, Pointer, RecordLayout, Section, layouts, unlocated
from iosq.parsers.smf.tables import column_type

_LAYOUTS = """# SMF record layouts

Generated from the files under `parsers/smf/layouts/`, which also define decoder, Parquet schema, dictionary and test
data. Offsets are decimal, from the start of the section (header: from the start of the record, RDW included).
A section's real length comes from the record; a field beyond it is NULL.

Confidence: **high** = IBM's manual or macro says so, **medium** = one weaker source or an inference,
**low** = from memory or by symmetry: test it before you rely on it.
No site's dump of RMF records is public, so none of this has been checked against live data.
"""

_ISSUES = """# Issues an SMF dump can have

`iosq sql "SELECT * FROM lake_issues"` lists those of a lake. Severity `info` and `notice` mean that no data is lost;
`data_loss` means that bytes or records at the given place could not be used.
Values that views exclude as physically impossible (a share of 1.4) are not reading issues: the view
`impossible_value` lists them, and the report counts them separately.

| code | severity | message |
|---|---|---|
"""


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def _row(field: Field) -> str:
    meaning = field.meaning
    if field.only:
        values = ", ".join(str(v) for v in sorted(field.only.values))
        meaning += f" (only where {field.only.field} is {values})"
    bits = "; ".join(f"`{field.name}_{b.name}` X'{b.mask:02X}' {b.meaning} [{b.confidence}]" for b in field.bits)
    text = meaning + (f" Bits: {bits}" if bits else "")
    cells = (field.offset, f"`{field.name}`", field.length, field.format, field.unit, column_type(field), text)
    return f"| {' | '.join(_cell(str(c)) for c in cells)} | {field.confidence} |"


def _fields(fields: tuple[Field, ...]) -> Iterator[str]:
    yield "| offset | field | length | format | unit | column | meaning | confidence |"
    yield "|---|---|---|---|---|---|---|---|"
    yield from (_row(f) for f in fields)
    sources = sorted({f.source for f in fields})
    yield "\nSources: " + "; ".join(f"<{s}>" if s.startswith("http") else s for s in sources) + "\n"


def _access(section: Section) -> str:
    reach = section.reach
    if isinstance(reach, Chain):
        parent = f" of {reach.within}" if reach.within else ""
        return f"chained from `{reach.first}`{parent} through `{reach.next}`, length in `{reach.length}`"
    if isinstance(reach, Pointer):
        return f"at `{reach.offset}` of {reach.within}, length in `{reach.length}`"
    where = f" of {reach.within}" if reach.within else ""
    return f"triplet `{reach.offset}`, `{reach.length}`, `{reach.count}`{where}"


def _record(layout: RecordLayout) -> Iterator[str]:
    yield f"## {layout.kind}: {layout.title}\n"
    yield f"### `{layout.table('record')}`: header\n"
    yield from _fields(layout.header)
    for title, fields in (("product section", layout.product), ("reassembly header", layout.reassembly)):
        if fields:
            yield f"### `{layout.table('record')}`: {title}\n"
            yield from _fields(fields)
    for section in layout.sections:
        yield f"### `{layout.table(section.name)}`\n\nReached by {_access(section)}.\n"
        yield from _fields(section.fields)
    for section in layout.unlocated:
        yield f"### {section.name} (not decoded: no source says where in the record it is)\n"
        yield from _fields(section.fields)


def layouts_markdown() -> str:
    """`docs/reference/layouts.md`."""
    lines = [_LAYOUTS]
    for layout in layouts().values():
        lines += _record(layout)
    lines += [
        "## Fields known to exist, place unknown\n",
        "| section | field | format | unit | what is known | confidence |",
        "|---|---|---|---|---|---|",
    ]
    for row in unlocated():
        cells = (row["section"], row["name"], row["format"], row["unit"], row["description"], row["confidence"])
        lines.append(f"| {' | '.join(_cell(c) for c in cells)} |")
    return "\n".join(lines) + "\n"


def issues_markdown() -> str:
    """`docs/reference/issues.md`."""
    return _ISSUES + "".join(
        f"| `{code}` | {severity} | {_cell(text)} |\n" for code, (severity, text) in codes().items()
    )
