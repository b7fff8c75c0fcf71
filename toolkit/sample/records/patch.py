"""The encoder lays out a record with empty rows; then the bytes of its many sections are written at once."""

from __future__ import annotations

from dataclasses import replace

from iosq.parsers.smf.encode import RecordSpec, encode_record
from iosq.parsers.smf.layout import RecordLayout, Triplet
from iosq.toolkit.rows import NewRow
from iosq.toolkit.sample.bulk import Bytes


def filled(layout: RecordLayout, spec: RecordSpec, many: dict[str, Bytes]) -> bytes:
    """The record of `spec` with the sections in `many` (name → rows of bytes) in addition to its own.

    Raises:
        ValueError: the record exceeds 65535 bytes, or a value doesn't fit.
    """
    rows: dict[str, list[NewRow]] = {name: [{}] * len(data) for name, data in many.items()}
    lengths = {name: data.shape[1] for name, data in many.items() if len(data)}
    whole = replace(spec, sections={**spec.sections, **rows}, lengths={**spec.lengths, **lengths})
    record = bytearray(encode_record(layout, whole))
    for name, data in many.items():
        start = section_start(layout, name, record)
        record[start : start + data.size] = data.tobytes()
    return bytes(record)


def section_start(layout: RecordLayout, name: str, record: bytes | bytearray) -> int:
    """Position of the first section called `name`."""
    reach = layout.section(name).reach
    assert isinstance(reach, Triplet) and not reach.within
    field = next(f for f in layout.header if f.name == reach.offset)
    return int.from_bytes(record[field.offset : field.end], "big")
