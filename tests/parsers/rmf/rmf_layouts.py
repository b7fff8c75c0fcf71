"""Our own rendering of RMF's device report, for tests: headings where the published figure has them, values as printed.

Positions are those of the z/OS 2.4 figure of the Report Analysis. Nothing here is used by the product.
"""

from collections.abc import Mapping, Sequence
from typing import Any

Row = Mapping[str, Any]


def spaced(title: str) -> str:
    """`I/O QUEUING ACTIVITY` as RMF writes titles: letters one blank apart, words three."""
    return "   ".join(w if "/" in w else " ".join(w) for w in title.split())


def head(title: str, *, system: str, date: str, time: str, interval: str, page: int = 1) -> list[str]:
    """The page head: title, page number, system, interval."""
    return [
        f"{'':37}{spaced(title)}",
        f"{'':123}PAGE{page:5d}",
        f"{'':12}z/OS V2R4{'':15}SYSTEM ID {system:<16}DATE {date}{'':12}INTERVAL {interval}",
        f"{'':37}RPT VERSION V2R4 RMF{'':7}TIME {time}{'':14}CYCLE 1.000 SECONDS",
        "",
    ]


def at(*parts: tuple[int, str]) -> str:
    """Texts at 1-based columns."""
    line = ""
    for column, text in parts:
        line = line.ljust(column - 1) + text
    return line


def printed(value: float | None, width: int, digits: int) -> str:
    """A number as RMF fits it: digits dropped, then K or M, until it is as wide as its column."""
    if value is None:
        return "-" * min(width, 4)
    for scale, suffix in ((1.0, ""), (1e3, "K"), (1e6, "M"), (1e9, "G")):
        for places in range(digits, -1, -1):
            text = f"{value / scale:.{places}f}{suffix}"
            if len(text) <= width:
                return text
    return "*" * width


SAMPLES = "TOTAL SAMPLES =    900   IODF = 00   CR-DATE: 02/11/2024   CR-TIME: 10.15.22     ACT: POR"

# heading lines and the column each begins in
IDENTITY = (
    ("", "STORAGE", "GROUP", 1),
    ("", "DEV", "NUM", 11),
    ("", "DEVICE", "TYPE", 16),
    ("", "NUMBER", "OF CYL", 25),
    ("", "VOLUME", "SERIAL", 33),
    ("", "PAV", "", 40),
    ("", "LCU", "", 45),
)
# heading lines, first column, then the values: column name, last character, width, decimals
NUMBERS = (
    ("DEVICE", "ACTIVITY", "RATE", 50, "activity_rate", 57, 8, 3),
    ("AVG", "RESP", "TIME", 59, "resp_ms", 62, 4, 3),
    ("AVG", "IOSQ", "TIME", 64, "iosq_ms", 67, 4, 3),
    ("AVG", "CMR", "DLY", 70, "cmr_ms", 72, 4, 3),
    ("AVG", "DB", "DLY", 75, "db_ms", 77, 4, 3),
    ("AVG", "INT", "DLY", 80, "int_ms", 82, 4, 3),
    ("AVG", "PEND", "TIME", 86, "pend_ms", 89, 5, 3),
    ("AVG", "DISC", "TIME", 91, "disc_ms", 94, 4, 3),
    ("AVG", "CONN", "TIME", 96, "conn_ms", 99, 4, 3),
    ("%", "DEV", "CONN", 103, "conn_pct", 106, 5, 2),
    ("%", "DEV", "UTIL", 110, "util_pct", 113, 5, 2),
    ("%", "DEV", "RESV", 116, "resv_pct", 119, 5, 1),
    ("AVG", "NMBR", "ALLOC", 122, "alloc_avg", 126, 5, 1),
    ("%", "ANY", "ALLOC", 129, "alloc_pct", 133, 5, 1),
)
DASD_HEADING = [at(*((n[3], n[i]) for n in (*IDENTITY, *NUMBERS))) for i in range(3)]


def dasd_row(row: Row) -> str:
    """One line of the device report: a device, a total (`total`, `id`) or a device with a `message`."""
    line = _identity(row)
    if row.get("message"):
        return at((1, line), (51, str(row["message"])))
    for *_, name, end, width, digits in NUMBERS:
        text = printed(row.get(name), width, digits)
        line = line.ljust(end - len(text)) + text
        if name == "activity_rate":
            line += row.get("sync_mark") or ""
    return line


def _identity(row: Row) -> str:
    if row.get("total") == "LCU":
        return at((33, "LCU"), (45, str(row["id"])))
    if row.get("total"):
        return str(row["id"])
    device = str(row["device"])
    return at(
        (1, row.get("storage_group") or ""),
        (15 - len(device), device),
        (16, row["device_type"]),
        (24, f"{row['cylinders']:7d}"),
        (33, row.get("volser") or ""),
        (40, f"{row['pav']:g}{row.get('pav_mark') or ''}"),
        (45, row["lcu"]),
    )


def dasd_page(rows: Sequence[Row], **when: Any) -> list[str]:
    """One page of Direct Access Device Activity."""
    return [*head("DIRECT ACCESS DEVICE ACTIVITY", **when), SAMPLES, "", *DASD_HEADING, *map(dasd_row, rows)]


def pages(*parts: Sequence[str], control: bool = False) -> bytes:
    """Pages as a file, with ASA carriage control if asked for."""
    lines = [("1" if control and i == 0 else " " if control else "") + line for p in parts for i, line in enumerate(p)]
    return ("\n".join(lines) + "\n").encode()
