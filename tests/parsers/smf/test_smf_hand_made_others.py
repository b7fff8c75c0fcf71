"""Records of types other than RMF's, put together by hand as in test_smf_hand_made."""

from datetime import date, datetime

import pytest
from smf_decoders import raw, read


def job_interval(subtype: str, *, written: str, ident: str) -> bytes:
    """Type 30: identification, I/O activity and two EXCP sections; a completion section that has no layout."""
    io = """
00000000 000003E8 00000000 00000000 00 00    # INP, TEP 1000, TPT, TGT, RDR, RDT
00002710 00000000 0000 00000000              # TCN 10000, DCF, reserved, TRR
00001F40 00000FA0 000007D0 000001F4          # AIC 8000, AID 4000, AIW 2000, AIS 500
00000064 00000032 00000019 0000000A          # EIC 100, EID 50, EIW 25, EIS 10
00000000000003E8                             # TEX 1000
"""
    excp = """
20 0F 0A11 D4C1E2E3C5D94040                  # DEV, UTP, CUA, DDN 'MASTER'
00000258 6C00 00001388 0000000000006C00      # BLK 600, BSZ 27648, DCT 5000, XBS
20 0F 0A12 E6D6D9D2F0F14040                  # 'WORK01'
00000190 1000 00000BB8 0000000000001000      # BLK 400, BSZ 4096, DCT 3000
"""
    body = raw(ident) + raw(io) + bytes(12) + raw(excp)
    triplets = """
00000000 0000 0000                           # subsystem section: none
00000070 00A4 0001  00000114 0048 0001       # identification at 112, I/O activity at 276
0000015C 000C 0001                           # completion at 348
00000000 0000 0000 00000000 0000 0000        # processor, accounting
00000000 0000 0000 00000000 0000 0000        # storage, performance
00000000 0000 0000 00000168 001E 0002        # operator, EXCP at 360
0000000000000000                             # further EXCP sections, reserved
"""
    head = f"""
{24 + 88 + len(body):04X} 0000 5E 1E         # length, segment, flags, type
{written} 0126063F                           # TME, DTE day 63 of 2026
E2E8E2C1 D1C5E2F2 {subtype}                  # SID 'SYSA', WID 'JES2'
"""
    return raw(head) + raw(triplets) + body


JOB = """
D7C1E8D9D6D3D340 D7C7D4D7C1E84040 E2E3C5D7F1404040 0000000000000000 # JBN 'PAYROLL', PGM 'PGMPAY', STM 'STEP1'
D1D6C2F0F0F1F2F3 0002                                               # JNM 'JOB00123', STN 2
"""
# 4 March 2026, 01:00 and 01:15 UTC
FROM_ONE = JOB + "00" * 106 + "E25389F99C400000 E2538D53EAD00000"


@pytest.mark.parametrize("subtype", ["0002", "0003", "0006"])
def test_30(subtype):
    rows = read(job_interval(subtype, written="0011E608", ident=FROM_ONE)).rows
    (job,) = rows["smf30_identification"]
    assert [job[f"SMF30{n}"] for n in ("JBN", "PGM", "STM", "JNM", "STN")] == [
        *("PAYROLL", "PGMPAY", "STEP1", "JOB00123", 2)
    ]
    (io,) = rows["smf30_io_activity"]
    numbers = ("TEP", "TCN", "AIC", "AID", "AIW", "AIS", "EIC", "EID", "EIW", "EIS", "TEX", "DAS")
    assert [io[f"SMF30{n}"] for n in numbers] == [1000, 10_000, 8000, 4000, 2000, 500, 100, 50, 25, 10, 1000, None]
    master, work = rows["smf30_excp"]
    assert [master[f"SMF30{n}"] for n in ("CUA", "DDN", "BLK", "BSZ", "DCT", "XBS")] == [
        *("0A11", "MASTER", 600, 27_648, 5000, 27_648)
    ]
    assert [work[f"SMF30{n}"] for n in ("CUA", "DDN", "BLK", "DCT")] == ["0A12", "WORK01", 400, 3000]
    assert (io["interval_start"], io["interval_s"], io["utc_offset_s"]) == (datetime(2026, 3, 4, 1), 900, 7200)


def test_30_of_a_record_that_is_written_late_has_no_zone():
    (late,) = read(job_interval("0002", written="00130B00", ident=FROM_ONE)).rows["smf30_excp"][:1]
    assert (late["interval_start"], late["interval_s"], late["utc_offset_s"]) == (datetime(2026, 3, 4, 1), 900, None)


def test_30_totals_of_steps_and_jobs_are_not_read():
    assert not read(job_interval("0004", written="0011E608", ident=FROM_ONE)).rows


def test_42_6():
    record = raw(
        """
0110 0000 5E 2A            # 272 bytes, type 42
00057E40 0126063F          # TME 01:00, DTE
E2E8E2C1 E2D4E240 0006     # SID 'SYSA', SSI 'SMS', subtype 6
0002 0000
0000002C 0028 0001         # product at 44
00000054 002C 0001         # job header at 84, 44 bytes
D1C4C6E2D4E24040 00000000000000000000 00 00   # PDL 'JDFSMS', PDN, PSV
E0D0000000000000 E0D0D693A4000000             # PTS, PTE 900 s later: X'D693A4' << 24 >> 12 microseconds
00000000
D7C1E8D9D6D3D340 00057E40 0126063F            # JNM 'PAYROLL', RST, RSD
C4C2C1F140404040 00000080 0048                # UID, DSO 128, DSL 72
00 02 0000 0038 0000 00 00 00000DC1    # COD, VER, PGN, IOL 56, AML 0, ST1, GMO 3521
"""
    )
    assert len(record) == 128
    record += raw("00000000") + "PROD.MASTER".encode("cp037").ljust(44, b"\x40")
    record += raw("00 00 00 00 000000C8 00000000") + "PRD001".encode("cp037") + raw("0A01 40404040")
    assert len(record) == 200
    record += raw("00000008 00000004 00000002 00000001 00000000 000003E8") + bytes(32) + bytes(16)
    rows = read(record).rows
    (top,) = rows["smf42_6_record"]
    assert top["utc_offset_s"] == round(3521 * 1.048576) == 3692
    (job,) = rows["smf42_6_job_header"]
    assert (job["S42JDJNM"], job["S42JDRST"], job["S42JDRSD"], job["S42JDGMO"]) == (
        *("PAYROLL", 360_000),
        *(date(2026, 3, 4), 3521),
    )
    (name,) = rows["smf42_6_data_set_header"]
    assert (name["S42DSN"], name["S42DSVOL"], name["S42DSDEV"], name["S42DSSC"]) == (
        "PROD.MASTER",
        "PRD001",
        "0A01",
        None,
    )
    (io,) = rows["smf42_6_data_set_io"]
    assert (io["S42DSIOR"], io["S42DSIOC"], io["S42DSION"], io["parent_index"], io["S42DSMXR"]) == (8, 4, 1000, 1, None)
    assert "smf42_6_access_method" not in rows
    (product,) = rows["smf42_6_product"]
    seconds = (product["SMF42PTE"] - product["SMF42PTS"]).total_seconds()
    assert product["interval_s"] == seconds == 0xD693A4000000 / 4096 / 1e6


def test_94_1():
    record = raw(
        """
0082 0000 5E 5E            # 130 bytes, type 94
00057E40 0126063F          # TME 01:00, DTE
E2E8E2C1 D3C3E240 0001     # SID, WID 'LCS', subtype 1
00000044                   # SDL
00000000 0000 0000         # product
00000000 0000 0000         # H
0000005C 001A 0001         # self-description at 92, 26 bytes
00000000 0000 0000         # L
00000076 000C 0001         # mount at 118, 12 bytes
00000000 0000 0000  00000000 0000 0000  00000000 0000 0000
F0F0F3F9F5F3 C2F1F6 C9C2D4 F1F3 F0F0F0F0F0F0F0F1F2F3F4F5  # type, model, maker, plant, serial
0001 0002 0003 0004 0005 0006   # MPR, MP1-3, MTO, MIN
"""
    )
    rows = read(record).rows
    (library,) = rows["smf94_1_self_description"]
    assert [library[f"SMF94{k}"] for k in ("SLT", "SLM", "SMA", "SPL", "SNO")] == [
        *("003953", "B16", "IBM", "13"),
        "000000012345",
    ]
    (mount,) = rows["smf94_1_mount"]
    assert [mount[f"SMF94{k}"] for k in ("MPR", "MP3", "MTO", "MIN", "MPM")] == [1, 4, 5, 6, None]
    # written at the end of the hour it covers; it has no zone
    assert (mount["interval_start"], mount["interval_s"], mount["utc_offset_s"]) == (datetime(2026, 3, 4), 3600.0, None)


STORAGE_CLASS = """
0005 E2C3E2E3C440404040404040404040404040404040404040404040404040   # RNL 5, RNN 'SCSTD'
00000010 00000004 00000002 00000008 00000001 # IOR 16, IOC 4, IOP 2, IOD 8, IOQ 1
00000384 00000320 000002BC 00000064 00000062 # ION 900, CND 800, HIT 700, WCN 100, WHI 98
00000032 00000000 00000000 00000000 00000007 # SEQ 50, RLC, ICL, DA0, RDD 7
000002BC 000001F4 00000064                   # RDT 700, HRD 500, HWR 100
"""
VTOC = """
00000008 00000002 00000001 00000004 00000000 # IOR 8, IOC 2, IOP 1, IOD 4, IOQ
0000000A 00000009 00000007 00000001 00000001 # ION 10, CND 9, HIT 7, WCN 1, WHI 1
00000000 00000000 00000000                   # SEQ, two more
"""


def volume_header(following: str, serial: str, device: str, pointers: str) -> str:
    return f"{following} {serial} {device} C0 00000000000000 00000003 {pointers}" + "00" * 24  # FL1, UNC 3


def test_42_5():
    """One storage class, and two volume headers with other sections between them; no such record was at hand."""
    body = (
        raw("E9E5F0F2F0F5F0F0 C4C6E2D4E24040404040 01 00 E25389F99C400000 E2538D53EAD00000")  # 36 bytes at 52
        + raw(STORAGE_CLASS)  # 104 bytes at 88
        + raw(volume_header("0000013C", "D7D9C4F0F0F1", "0A11", "00000108 0034 0000 00000000 0000 0000" + "00" * 8))
        + raw(VTOC)  # 52 bytes at 264
        + raw(volume_header("00000000", "D7D9C4F0F0F2", "0A12", "00" * 16 + "00000184 0034 0000"))  # at 316
        + raw(VTOC)  # at 388
    )
    head = """
01B8 0000 5E 2A 0011E608 0126063F            # length 440, TME 03:15:30, DTE day 63 of 2026
E2E8E2C1 E2E3C340 0005 0003 0000             # SID 'SYSA', SSI 'STC', subtype, triplets
00000034 0024 0001 00000058 0068 0001        # product at 52, storage class at 88
000000C0 0048 0002                           # volume headers: the first at 192, two
"""
    rows = read(raw(head) + body).rows
    (top,) = rows["smf42_5_record"]
    assert (top["interval_start"], top["interval_s"], top["utc_offset_s"]) == (datetime(2026, 3, 4, 1), 900, 7200)
    (found,) = rows["smf42_5_storage_class"]
    times = [found[f"S42SC{name}"] for name in ("RNN", "IOR", "IOC", "IOP", "IOD", "IOQ", "RDD")]
    counts = [found[f"S42SC{name}"] for name in ("ION", "CND", "HIT", "WCN", "WHI", "SEQ", "RDT", "HRD", "HWR")]
    assert times == ["SCSTD", 16, 4, 2, 8, 1, 7]
    assert counts == [900, 800, 700, 100, 98, 50, 700, 500, 100]
    assert found["S42SCR1U"] is None, "an older release has no microseconds"
    headers = [(v["S42VTSER"], v["S42VTADR"], v["S42VTFL1"], v["S42VTUNC"]) for v in rows["smf42_5_volume_header"]]
    assert headers == [("PRD001", "0A11", 0xC0, 3), ("PRD002", "0A12", 0xC0, 3)]
    (data,), (vvds,) = rows["smf42_5_vtoc_data"], rows["smf42_5_vvds"]
    assert [data[f"S42VD{n}"] for n in ("IOR", "IOC", "IOP", "IOD", "ION", "CND", "HIT")] == [8, 2, 1, 4, 10, 9, 7]
    assert (data["parent_index"], vvds["parent_index"], vvds["S42VVION"]) == (1, 2, 10)
    assert "smf42_5_vtoc_index" not in rows
