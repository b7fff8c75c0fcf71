"""The small sample in `sample-data/smf`: some quarter hours of the day, so that every planted trouble shows.

python -m tests.shipped sample-data/smf
"""

import sys
from pathlib import Path

from iosq.toolkit.sample.writer import write

SEED = 1
# 01:30-02:30 alias pool, 02:45 damaged record, 10:00-11:00 hot volume, 20:15-21:15 NVS; local time
INTERVALS = (6, 7, 8, 9, 11, 40, 41, 42, 43, 81, 82, 83, 84)
PACKED = ("sysa.smf", "sysb.smf")


def write_shipped(directory: str | Path) -> list[Path]:
    """Write the shipped sample, its manifest next to the directory; the unpacked bytes are the same everywhere.

    Raises:
        RequestError: the directory can't be written.
    """
    folder = Path(directory)
    manifest = folder.with_name(f"{folder.name}-manifest.json")
    return write(folder, seed=SEED, intervals=INTERVALS, packed=PACKED, truth_file=manifest)


if __name__ == "__main__":
    write_shipped(sys.argv[1])
