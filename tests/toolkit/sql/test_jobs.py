"""job_interval and job_volume_interval from type 30: who does the I/O, and on which volume."""

import datetime as dt
from typing import Any

import pytest
from sql_lake import START, Lake, Row, all_rows, one

STEP: Row = {"SMF30JBN": "PAYROLL", "SMF30JNM": "JOB00123", "SMF30STM": "STEP1", "SMF30STN": 2, "SMF30PGM": "PGMPAY"}
# 450 disk I/Os: 0.4 ms pending, 0.8 ms disconnect, 1.6 ms connect; a tenth is that of enclaves
IO: Row = {"SMF30AIS": 405, "SMF30AIW": 405 * 4, "SMF30AID": 405 * 8, "SMF30AIC": 405 * 16, "SMF30TEX": 900}
IO |= {"SMF30EIS": 45, "SMF30EIW": 45 * 4, "SMF30EID": 45 * 8, "SMF30EIC": 45 * 16, "SMF30TEP": 7}
DD: Row = {"SMF30DDN": "MASTER", "SMF30CUA": "0A11", "SMF30BLK": 9000, "SMF30DCT": 9000 * 5, "SMF30BSZ": 27_648}


def lake_of(*dds: Row, step: Row | None = None, io: Row | None = None) -> Lake:
    lake = Lake()
    lake.add("smf30_identification", record_id=30, **(STEP | (step or {})))
    lake.add("smf30_io_activity", record_id=30, **(IO | (io or {})))
    lake.add("smf30_performance", record_id=30, SMF30SCN="BATMED", SMF30WLM="BATCH", SMF30RCN="RPAY")
    for dd in dds:
        lake.add("smf30_excp", record_id=30, **(DD | dd))
    return lake


def job(**io: Any) -> Row:
    return one(lake_of(io=io).connect(), "SELECT * FROM job_interval")


def test_a_step_and_its_disk_ios() -> None:
    row = job()
    names = ("job", "job_number", "step", "step_number", "program", "service_class", "workload", "report_class")
    assert [row[n] for n in names] == ["PAYROLL", "JOB00123", "STEP1", 2, "PGMPAY", "BATMED", "BATCH", "RPAY"]
    assert (row["disk_io_rate"], row["excp_count"]) == (0.5, 900)
    times = [row[f"disk_{part}_ms"] for part in ("pend", "disc", "conn")]
    assert times == [pytest.approx(0.128 * n) for n in (4, 8, 16)]


def test_what_older_records_lack_is_left_out() -> None:
    row = job(SMF30EIS=None, SMF30EIW=None, SMF30EID=None, SMF30EIC=None, SMF30TEX=None)
    assert (row["disk_io_rate"], row["excp_count"], row["disk_conn_ms"]) == (0.45, 7, pytest.approx(2.048))
    none = job(SMF30AIS=0, SMF30EIS=0)
    assert (none["disk_io_rate"], none["disk_conn_ms"]) == (0, None)


def test_a_dd_and_the_volume_of_its_device() -> None:
    lake = lake_of({}, {"SMF30CUA": "0A12", "SMF30DDN": "WORK"}, {"SMF30BLK": 1000, "SMF30DCT": 5000})
    lake.device("0A11", SMF74SER="PAY001")
    lake.device("0A12", SMF74SER="WRK001", interval_start=START + dt.timedelta(hours=3))
    master, work = all_rows(lake.connect(), "SELECT * FROM job_volume_interval ORDER BY device")
    assert (master["job"], master["dd"], master["device"], master["volser"]) == ("PAYROLL", "MASTER", "00A11", "PAY001")
    assert (master["excp_count"], master["conn_ms"]) == (10_000, pytest.approx(0.64))
    assert (master["connect_ratio"], master["max_block_bytes"]) == (pytest.approx(6.4 / 900), 27_648)
    assert (work["device"], work["volser"]) == ("00A12", None), "no record of that time"
