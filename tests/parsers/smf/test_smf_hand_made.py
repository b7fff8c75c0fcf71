"""Records put together by hand from the record descriptions, byte by byte: nothing of the encoder is used.

Each line of a record is hex, a `#` begins a comment. Offsets in triplets count from the record's start.
"""

from datetime import date, datetime

import pytest
from smf_decoders import raw, read

# 104 bytes: an interval of 15 minutes from 01:00 local time, 4 March 2026, two hours ahead of UTC
PRODUCT = """
791F                       # MFV
D9D4C64040404040           # PRD 'RMF'
0010000F                   # IST 01:00:00
0126063F                   # DAT 2026, day 63
1500000F                   # INT 15 min 00.000 s
0000 00000384 0000         # MFL, SAM 900 samples, RV2
8000 00000000 0001000F     # FLA CNV, RLS, CYC 1000 ms
E9E5F0F2F0F5F0F0           # MVS 'ZV020500'
03 00 01 5A                # IML, PRF, PTN 1, SRL
0000000000000000           # IET
00001AD274800000           # LGO 7200 s << 12
00000000 0000 0000         # RAO, RAL, RAN: not split
0384 0000                  # OIL 900 s, SYN
0000000000000000           # GIE
E2E8E2D7D3C5E740           # XNM 'SYSPLEX'
E2E8E2C1D5C1D4C5           # SNM 'SYSANAME'
"""


def header(type_: str, subtype: str, length: str) -> str:
    """36 bytes of an RMF record whose product section lies at X'64'."""
    return f"""
{length} 0000 5E {type_}         # length, segment, flags, type
00057E40 0126063F          # TME 01:00:00.00, DTE
E2E8E2C1 D9D4C640          # SID 'SYSA', SSI 'RMF '
{subtype} 0005 0000            # subtype, TRN, reserved
00000064 0068 0001         # product section: at 100, 104 bytes, one
"""


def rmf(type_: str, subtype: str, triplets: str, sections: str) -> bytes:
    """The record; `triplets` is filled with zeros up to the product section at 100, the sections start at 204."""
    middle = raw(triplets)
    body = middle + bytes(64 - len(middle)) + raw(PRODUCT) + raw(sections)
    return raw(header(type_, subtype, f"{36 + len(body):04X}")) + body


DEVICE_1 = """
0A01 002F 00 01            # NUM 0A01, LCU 002F, reserved, CNF STA
D7D9C4F0F0F1 3010200F      # SER 'PRD001', TYP
00000004                   # NUX 4
00002710 00002706          # SSC 10000, MEC 9990
00003A98 000007D0 00004268 00000FA0   # CNN 15000, PEN 2000, ATV 17000, DIS 4000 (128 us)
00000064 00000005 00000000 00000000   # QUE 100, UTL 5, RSV 0, reserved
00000384 00000000 00000000 0000 0000  # ALC 900, MTP, NRD, COF, reserved
00000019 00000000 80 000000           # DVB 25, reserved, CLF RNR, reserved
E2C7D7D9D6C44040 00000708             # SGN 'SGPROD', NDA 1800
F3F3F9F0F9404040 F2F1F0F7404040 40    # DEV '33909', CU '2107'
00000000 2A 00 0001 40                # reserved, CNX, CN2, MTC 1, DTS
"""


# what the first device section of the 74.1 record says, without the prefix SMF74
DEVICE_1_SAYS = {
    "NUM": "0A01",
    "LCU": "002F",
    "CNF": 1,
    "SER": "PRD001",
    "TYP": "3010200F",
    "NUX": 4,
    "SSC": 10_000,
    "MEC": 9990,
    "CNN": 15_000,
    "PEN": 2000,
    "ATV": 17_000,
    "DIS": 4000,
    "QUE": 100,
    "UTL": 5,
    "ALC": 900,
    "DVB": 25,
    "CLF": 0x80,
    "SGN": "SGPROD",
    "NDA": 1800,
    "DEV": "33909",
    "CU": "2107",
    "CNX": 0x2A,
    "MTC": 1,
    "DTS": 0x40,
    "DCT": None,
    "NDN": None,
    "CMR": None,
    "IOS": None,
    "SBR": None,
}


def test_74_1():
    control = raw("0002 0002 0001 0220 00 00 40 80 FFFFFFFF 00000000 00000000 0000 00 00 0000")
    control += "IODF00".encode("cp037").ljust(44, b"\x40")
    control += "02".encode("cp037") + bytes(2) + "03/04/2600.58.59".encode("cp037")
    control += bytes(2) + raw("00000003") + "03/04/2026".encode("cp037")
    assert len(control) == 110
    one = raw(DEVICE_1)
    two = bytes(2) + b"\0\x2f\0\x08" + bytes(119)
    triplets = "000000CC 006E 0001   0000013A 007D 0002"
    record = rmf("4A", "0001", triplets, (control + one + two).hex())
    assert len(one) == len(two) == 125
    rows = read(record).rows
    (top,) = rows["smf74_1_record"]
    assert (top["system"], top["samples"], top["interval_s"], top["utc_offset_s"]) == ("SYSA", 900, 900.0, 7200)
    assert top["interval_start"] == datetime(2026, 3, 3, 23, 0)
    assert (top["SMF74TME"], top["SMF74DTE"], top["SMF74STY"]) == (360_000, date(2026, 3, 4), 1)
    assert (top["SMF74MFV"], top["SMF74CYC"], top["SMF74XNM"], top["SMF74SNM"]) == (791, 1000.0, "SYSPLEX", "SYSANAME")
    assert (top["SMF74FLA"], top["SMF74LGO"], top["SMF74GIE"]) == (0x8000, 7_200_000_000, None)
    (control_row,) = rows["smf74_1_device_control"]
    named = {
        k: control_row[f"SMF74{k}"] for k in ("NXT", "SUB", "ENF", "SMF", "S15", "TNM", "TDT", "TTM", "MCT", "TDY")
    }
    assert named == {
        "NXT": 2,
        "SUB": "0220",
        "ENF": 0x40,
        "SMF": 0x80,
        "S15": -1,
        "TNM": "IODF00",
        "TDT": "03/04/26",
        "TTM": "00.58.59",
        "MCT": 3,
        "TDY": "03/04/2026",
    }
    first, second = rows["smf74_1_device_data"]
    assert {k: first[f"SMF74{k}"] for k in DEVICE_1_SAYS} == DEVICE_1_SAYS
    assert (second["SMF74NUM"], second["SMF74SER"], second["SMF74CNF"], second["section_index"]) == ("0000", "", 8, 2)


def test_74_5():
    record = rmf(
        "4A",
        "0005",
        """
00000000 0000 0000         # no control section
00000000 008C 0000         # no device sections: length without count
00000000 0000 0000
00000000 0000 0000
000000CC 0024 0003         # R7451DEV at 204, three of 36 bytes
""",
        """
0A01 80 00 41A00000        # DVN, INC, SCS, RSV 10.0 ms
01 07 0009 00 00 0044      # FLG rank, AID 7, RID 9, (XTY, XFL), HSS 68
42640000 40800000 41100000 41280000 44271000  # RRQ 100, WRQ 0.5, SR 1, SW 2.5, RMR 10000
0A02 00 01 00000000
02 07 0009 03 80 0044      # FLG extent pool, XID 9, XTY 3, XFL X'80'
42640000 40800000 41100000 00000000 00000000
0A03 00 00 00000000
00 07 0009 03 80 0044      # FLG neither
42640000 40800000 41100000 00000000 00000000
""",
    )
    rank, pool, neither = read(record).rows["smf74_5_raid_extent_pool"]
    assert (rank["R7451DVN"], rank["R7451RSV"], rank["R7451RMR"]) == ("0A01", 10.0, 10_000.0)
    assert [rank[f"R7451{k}"] for k in ("AID", "RID", "HSS", "RRQ", "WRQ", "SR", "SW")] == [
        7,
        9,
        68,
        100.0,
        0.5,
        1,
        2.5,
    ]
    assert [rank[f"R7452{k}"] for k in ("XID", "XTY", "XFL", "PRO", "PBR")] == [None] * 5
    assert [pool[f"R7452{k}"] for k in ("XID", "XTY", "XFL", "PRO", "PWO", "PBR")] == [9, 3, 0x80, 100.0, 0.5, 1.0]
    assert [pool[f"R7451{k}"] for k in ("AID", "RID", "HSS", "RRQ", "SCS")] == [None, None, None, None, 1]
    assert {neither[k] for k in ("R7451RID", "R7452XID", "R7451RRQ", "R7452PRO")} == {None}
    assert rank["R7451XSF"] is None  # behind byte 36
    assert "smf74_5_cache_device" not in read(record).rows


def test_74_7():
    record = rmf(
        "4A",
        "0007",
        """
00000000 0000 0000
00000000 0000 0000
000000CC 0018 0001         # one port at 204, 24 bytes
000000E4 0007 0002         # two connectors of 7 bytes at 228
""",
        """
01 0B 80 40 1234 01 02 0001 00 0000000000   # NUM, ADR, flags, CU (CP is its second byte), CUN, NPC, XPC 1, PFL
44F4240000000000                              # FPT 62500.0
01 21 80 00 0A00 01
02 22 40 01 0B00 02
""",
    )
    rows = read(record).rows
    (port,) = rows["smf74_7_port"]
    assert (port["R747PADR"], port["R747PCU"], port["R747PNPC"], port["R747PXPC"]) == ("0B", "1234", 2, 1)
    assert (port["R747PFPT"], port["R747PNWR"]) == (62_500.0, None)
    assert [(c["R747CNUM"], c["R747CADR"], c["R747CCU"], c["R747CCUN"]) for c in rows["smf74_7_connector"]] == [
        ("01", "21", "0A00", 1),
        ("02", "22", "0B00", 2),
    ]


def test_74_8():
    triplets = "00000000 0000 0000" * 4 + "000000CC 001D 0002"  # two arrays of 29 bytes
    arrays = """
0003 0007 C4C4F0F14040404040404040404040 40   # AAID 3, ARID 7, EBC 'DD01'
01 0F 0008 00000258 80                        # TYP, ASP 15, AWD 8, ACP 600 GB, AST
0004 0008 C4C4F0F24040404040404040404040 40
02 0A 0007 00000384 00
"""
    rows = read(rmf("4A", "0008", triplets, arrays)).rows["smf74_8_array"]
    names = ("AAID", "ARID", "AEBC", "ATYP", "AASP", "AAWD", "AACP", "AAST")
    assert [tuple(r[f"R748{n}"] for n in names) for r in rows] == [
        (3, 7, "DD01", 1, 15, 8, 600, 0x80),
        (4, 8, "DD02", 2, 10, 7, 900, 0),
    ]


def test_73():
    channel = """
{pid} 40 00 00 000000C8 00000064 000DBBA0   # PID, FG2-4, BSY, PBY, PTI
1B C6C36DE240 {cmg} 00                      # CPD, ACR 'FC_S', CMG, FG5
{data}                                      # 48 bytes of the measurement group
00 10 0000 0008 00 03                       # CPP, GEN, EIX, SPD, MSC, IOEN
"""
    floats = "41200000 41300000 42640000" + "00000000" * 4 + "44271000" + "00000000" * 4
    text = channel.format(pid="51", cmg="02", data=floats) + channel.format(pid="52", cmg="01", data="00" * 48)
    text += channel.format(pid="53", cmg="05", data="41200000" * 12)
    rows = read(rmf("49", "0001", "00000000 0000 0000   000000CC 0050 0003", text)).rows["smf73_channel_data"]
    ficon, old, newer = rows
    assert [r["SMF73PID"] for r in rows] == ["51", "52", "53"]
    assert (ficon["SMF73ACR"], ficon["SMF73CMG"], ficon["SMF73BSY"], ficon["SMF73SPD"]) == ("FC_S", 2, 200, 8)
    assert [ficon[f"SMF73{k}"] for k in ("MBC", "MCU", "MWU", "PUC")] == [2.0, 3.0, 100.0, 10_000.0]
    assert old["SMF73MBC"] is None
    assert newer["SMF73MBC"] is None
    assert [r["SMF73IOEN"] for r in rows] == [None, None, 3], "of measurement groups 4 and 5"
    assert any(v == 2.0 for k, v in newer.items() if k.startswith("SMF73G5"))
    assert all(v is None for k, v in newer.items() if k.startswith("SMF73G4"))


def test_70_1():
    cpu = (
        """
00001AD274800000 {cid} 01 00 0A1B2C {typ}   # WAT 7200 s << 12, CID, CNF STA, reserved, SER, TYP
00002328 000003E8 00000000                   # SLH 9000, TPI 1000, VFS
00 000000 000003B9ACA00000                   # V, PAT 1000 s << 12
"""
        + "00" * 16
        + """
000000000000C350                             # NIO 50000
"""
    )
    text = cpu.format(cid="0001", typ="00") + cpu.format(cid="0002", typ="02")
    rows = read(rmf("46", "0001", "00" * 8 + "000000CC 0040 0002", text)).rows["smf70_1_cpu_data"]
    one, two = ({k: r[f"SMF70{k}"] for k in ("CID", "TYP", "WAT", "SLH", "TPI", "PAT", "NIO", "SER")} for r in rows)
    assert one == {"CID": 1, "TYP": 0, "WAT": 7_200_000_000 << 12, "SLH": 9000, "TPI": 1000, "PAT": 1_000_000_000 << 12,
                   "NIO": 50_000, "SER": "0A1B2C"}  # fmt: skip
    assert (two["CID"], two["TYP"], rows[0]["SMF70CNF"]) == (2, 2, 1)


def test_72_3():
    control = raw("10 000000 E6D3D4D7D6D34040") + bytes(56) + raw("000000FA") + bytes(12)  # MOVE, 'WLMPOL', MTVL 250
    control += "ONLINE".encode("cp037").ljust(40, b"\x40") + "CICSPROD".encode("cp037").ljust(40, b"\x40") + raw("0001")
    period = raw("0000 0000 0000 00 E0 01 80 40 00 00000064 0000 0002 00000000") + bytes(
        160
    )  # 100 ms on average, importance 2
    period += (
        raw("00002328 00000001") + bytes(8) + raw("446DDD0000000000 446DDD0000000000") + bytes(8)
    )  # 9000, 28125 x 1024 us
    period += raw("00000064 00000032 0000000A") + bytes(36) + raw("00000005 00000006") + bytes(36)
    period += raw(
        "44C3500000000000 4461A80000000000 4461A80000000000 00002710"
    )  # 50000, 25000, 25000 of 128 us, 10000 I/Os
    period += raw("00000096 00000032 00000014 00000007") + bytes(20) + raw("00000003") + bytes(4)
    period += raw("42D3000000000000 4427100000000000")  # 211 samples, IOS queue 10000 x 128 us
    assert (len(control), len(period)) == (166, 404)
    triplets = "000000CC 00A6 0001" + "00" * 16 + "00000172 0194 0001"
    rows = read(rmf("48", "0003", triplets, (control + period).hex())).rows
    (head,) = rows["smf72_3_control"]
    assert [head[f"R723M{k}"] for k in ("SCF", "NSP", "TVL", "WNM", "CNM", "CPG")] == [
        *(0x10, "WLMPOL", 250, "ONLINE", "CICSPROD", 1),
    ]
    (row,) = rows["smf72_3_period"]
    assert {k: row[f"R723C{k}"] for k in ("PER", "RTF", "RGF", "VAL", "PCT", "IMP", "RCP", "ARC", "ADF")} == {
        "PER": 1, "RTF": 0x80, "RGF": 0x40, "VAL": 100, "PCT": 0, "IMP": 2, "RCP": 9000, "ARC": 1, "ADF": 0xE0,
    }  # fmt: skip
    times = [row[f"R723C{k}"] for k in ("TET", "XET", "ICT", "IWT", "IDT", "IOT", "TSA")]
    assert times == [28_125, 28_125, 50_000, 25_000, 25_000, 10_000, 211]
    samples = [row[f"R723C{k}"] for k in ("CUS", "TOT", "CDE", "UNK", "IDL", "TOU", "IOU", "IOD", "Q", "NDI", "IRC")]
    assert samples == [100, 50, 10, 5, 6, 150, 50, 20, 7, 3, 10_000]


def test_75_1():
    name = "PAGE.SYSA.LOCAL1".encode("cp037").ljust(44, b"\x40").hex()
    section = (
        name
        + """
14 98 00                   # PST LOCAL UNUSABLE; FL2 VIO, DEV valid, SCM; reserved
3010200F 0A11              # TYP, CHA 0A11
D7C1C7F0F0F1 0000000000    # VOL 'PAG001', reserved
0000EA60 00003A98 00002710 00002EE0   # SLA 60000, MXU 15000, MNU 10000, AVU 12000
00000002 0000005A 0000005A            # BDS 2, USE 90, REQ 90 samples
00000708 00002328                     # SIO 1800, PGX 9000
F3F3F9F0F9404040 F2F1F0F7404040 40    # DEV '33909', CU '2107'
442EE08000000000                      # LVU 12000.5
"""
    )
    assert len(raw(section)) == 124
    (row,) = read(rmf("4B", "0001", "000000CC 007C 0001", section)).rows["smf75_1_page_data_set"]
    names = ("DSN", "TYP", "CHA", "VOL", "DEV", "CU")
    assert [row[f"SMF75{n}"] for n in names] == ["PAGE.SYSA.LOCAL1", "3010200F", "0A11", "PAG001", "33909", "2107"]
    numbers = ("SLA", "MXU", "MNU", "AVU", "BDS", "USE", "REQ", "SIO", "PGX", "LVU")
    assert [row[f"SMF75{n}"] for n in numbers] == [60_000, 15_000, 10_000, 12_000, 2, 90, 90, 1800, 9000, 12_000.5]
    assert (row["SMF75PST"], row["SMF75FL2"]) == (0x14, 0x98)


def queues(offset: str) -> bytes:
    """78.3 with one LCU and its two channel paths; `offset` is where the LCU says they are."""
    return rmf(
        "4E",
        "0003",
        """
000000CC 0014 0001         # config control at 204
000000E0 0044 0001         # data at 224
""",
        f"""
002F 0002 {offset} 0030 0002 0000000000000000   # ID1, NTR, CPDS, CPDL 48, CPDN 2
002F 00 00 00000384 00000064                      # ID2, DST, DSTX, QSM 900, QCT 100
"""
        + "00" * 56
        + """
51 80 0001 0A00 0000 0000 0000 00000005 00002710  # CPID, CPST, CUN, CU1-4, CUB, PT
"""
        + "00" * 28
        + """
52 80 0001 0A01 0000 0000 0000 00000006 00002711
"""
        + "00" * 28,
    )


# the paths stand at 292 of the record, 88 behind the LCU's section
@pytest.mark.parametrize("offset", ["00000058", "00000124"], ids=["from the section", "from the record"])
def test_78_3_finds_nested_sections_from_either_base(decode, offset):
    rows = decode(queues(offset))
    (lcu,) = rows["smf78_3_data"]
    assert (lcu["R783ID2"], lcu["R783QSM"], lcu["R783QCT"], lcu["R783HIX"]) == ("002F", 900, 100, 0)
    paths = rows["smf78_3_config_data"]
    assert [(p["R783CPID"], p["R783CU1"], p["R783CUB"], p["R783PT"]) for p in paths] == [
        ("51", "0A00", 5, 10_000),
        ("52", "0A01", 6, 10_001),
    ]
    assert [(p["section_index"], p["parent_index"], p["R783CTMW"]) for p in paths] == [(1, 1, None), (2, 1, None)]


def test_78_3_nested_sections_outside_the_record_are_refused(decode):
    assert decode(queues("00004000")) == "triplet_outside"
