"""A page whose INTERVAL can't be read: its rows are reported and kept, all others are reported."""

from pathlib import Path

import pytest

import iosq

PAGE = """\
1                                      D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y
                                                                                                                     PAGE    1
            z/OS V2R4                SYSTEM ID SYSE             DATE 03/12/2026            INTERVAL {interval}
                                     RPT VERSION V2R4 RMF      TIME {time}              CYCLE 1.000 SECONDS
0TOTAL SAMPLES =  900  IODF = 01  CR-DATE: 01/05/2026   CR-TIME: 10.00.00       ACT: ACTIVATE
  STORAGE   DEV DEVICE NUMBER VOLUME  PAV  LCU    DEVICE   AVG   AVG   AVG   AVG   AVG   AVG   AVG   AVG      %      %     %     AVG      %
    GROUP   NUM   TYPE OF CYL SERIAL            ACTIVITY  RESP  IOSQ   CMR    DB   INT  PEND  DISC  CONN    DEV    DEV   DEV  NUMBER    ANY
                                                    RATE  TIME  TIME   DLY   DLY   DLY  TIME  TIME  TIME   CONN   UTIL  RESV   ALLOC  ALLOC
     DBSG 06000  33909  10017 HOT006    1 0060   400.000 8.400 6.000 0.100 0.000 0.000 0.300 1.200 0.900  36.00  84.00   0.0     5.0  100.0
"""  # noqa: E501 - as printed
TIMES = ("09.00.00", "09.15.00", "09.30.00")


@pytest.mark.parametrize("damaged", ["         ", "**.**.***", "00.00.000"])
@pytest.mark.parametrize("pages", [(0,), (1,), (0, 1, 2)])
def test_rows_of_an_interval_without_a_length_are_kept(tmp_path: Path, damaged: str, pages: tuple[int, ...]) -> None:
    text = "".join(
        PAGE.format(interval=damaged if n in pages else "15.00.000", time=time) for n, time in enumerate(TIMES)
    )
    listing = tmp_path / "listing.txt"
    listing.write_text(text, "latin-1")
    iosq.ingest(tmp_path / "lake", [listing])
    lake = iosq.open(tmp_path / "lake")
    given = lake.sql("SELECT code, severity FROM lake_issues WHERE code <> 'local_time'").rows()
    assert given == [("no_interval", "data_loss")] * len(pages)
    assert lake.sql("SELECT count(*) FROM rmf_dasd_device").item() == len(TIMES)
    lengths = lake.sql("SELECT interval_s FROM device_interval").rows()
    assert lengths == [(900.0,)] * (len(TIMES) - len(pages))


def test_such_a_row_stops_no_page(tmp_path: Path) -> None:
    listing = tmp_path / "listing.txt"
    pages = (PAGE.format(interval=i, time=t) for i, t in zip(("15.00.000", "00.00.000", ""), TIMES, strict=True))
    listing.write_text("".join(pages), "latin-1")
    iosq.ingest(tmp_path / "lake", [listing])
    iosq.open(tmp_path / "lake").report(tmp_path / "page.html")
    assert "HOT006" in (tmp_path / "page.html").read_text("utf-8")
