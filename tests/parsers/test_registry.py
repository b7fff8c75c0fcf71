"""The registry: tables without readers, and the same ones."""

import subprocess
import sys

from iosq.parsers import registry

LOADED = (
    "import sys; from iosq.parsers.registry import tables; tables(); "
    "print(*sorted({'numpy', 'pyarrow', 'iosq.parsers.smf.reader'} & set(sys.modules)))"
)


def test_tables_are_those_that_readers_fill() -> None:
    of_readers = {t.name: t for reader in registry.readers() for t in reader.tables()}
    assert registry.tables() == of_readers
    assert list(registry.tables()) == sorted(of_readers)


def test_who_asks_for_tables_loads_no_reader() -> None:
    assert subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True).stdout == "\n"
