"""Cut and damaged packages: what was complete comes out, the rest is an issue, nothing crashes or hangs."""

import random
from pathlib import Path

import packaging_writers as writers
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from iosq.parsers.packaging import unpack
from iosq.toolkit.errors import InputError
from tests.length import tried

SAMPLES = Path(__file__).parents[3] / "sample-data" / "packaging"
QUICK = settings(
    max_examples=tried(60, 120), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
RECORDS = [random.Random(size).randbytes(size) for size in (40, 0, 900, 7, 2000)]
CONTENT = writers.rdw_stream(RECORDS)

PACKAGES = {kind: wrap(CONTENT) for kind, wrap in writers.WRAPPERS.items() if kind not in ("terse", "xmit")}
PACKAGES |= {
    "terse": writers.terse_file(writers.record_codes(RECORDS)),
    "spack": writers.terse_file(writers.record_codes(RECORDS), version=5),
    "xmit": writers.xmit_file(RECORDS),
    "piped zip": writers.zip_file({"inside": CONTENT}, seekable=False),
    "zip in gzip": writers.gzip_file(writers.zip_file({"inside": CONTENT})),
    "terse in zip": writers.zip_file({"inside": writers.terse_file(writers.record_codes(RECORDS))}),
}
CHECKED = ("gzip", "zip", "piped zip", "bzip2", "xz", "zip in gzip")
"""Packages whose sums find every change of their content."""


def unpacked(tmp_path, data):
    """(layers, content, issues) of the first member, or the InputError; nothing else may be raised."""
    path = tmp_path / "input"
    path.write_bytes(data)
    content, issues, layers = b"", [], ()
    try:
        for member in unpack(path, 3_000_000):
            layers = member.layers
            content += member.read()
            issues += member.issues
    except InputError as error:
        return error
    return layers, content, issues


@pytest.mark.parametrize("kind", PACKAGES)
def test_whole_packages_have_no_issue(tmp_path, kind):
    _, content, issues = unpacked(tmp_path, PACKAGES[kind])
    assert (content, issues) == (CONTENT, [])


@pytest.mark.parametrize("kind", PACKAGES)
@given(data=st.data())
@settings(QUICK, max_examples=25)
def test_cut_package_gives_its_beginning_and_an_issue(tmp_path, kind, data):
    package = PACKAGES[kind]
    result = unpacked(tmp_path, package[: data.draw(st.integers(0, len(package) - 1))])
    if isinstance(result, InputError):
        return
    layers, content, issues = result
    if layers == ():
        assert issues == []
        return
    if len(layers) < 1 + (" in " in kind):
        return
    assert CONTENT.startswith(content)
    assert content == CONTENT or any(issue.severity == "data_loss" for issue in issues)


@pytest.mark.parametrize("kind", PACKAGES)
@given(data=st.data())
@settings(QUICK, max_examples=40)
def test_changed_byte_never_crashes_and_never_passes_a_checksum(tmp_path, kind, data):
    package = bytearray(PACKAGES[kind])
    package[data.draw(st.integers(0, len(package) - 1))] ^= data.draw(st.integers(1, 255))
    result = unpacked(tmp_path, bytes(package))
    if kind in CHECKED and not isinstance(result, InputError) and result[0]:
        _, content, issues = result
        assert content == CONTENT or issues


@pytest.mark.parametrize("file", ["FB.ASYOULIK.TXT.PACK", "VB.ALPHABET.TXT.SPACK", "VB.A.TXT.SPACK", "racseq.xmit"])
@given(data=st.data())
@settings(QUICK, max_examples=8)
def test_changed_byte_in_a_real_file_never_crashes(tmp_path, file, data):
    package = bytearray((SAMPLES / file).read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        package[data.draw(st.integers(0, len(package) - 1))] ^= data.draw(st.integers(1, 255))
    unpacked(tmp_path, bytes(package[: data.draw(st.integers(1, len(package)))]))


@given(st.sampled_from([b"\x1f\x8b\x08", b"PK\3\4", b"BZh91AY&SY", b"\xfd7zXZ\0", b"\x28\xb5\x2f\xfd"]), st.binary())
@QUICK
def test_noise_behind_a_magic_number_never_crashes(tmp_path, magic, noise):
    unpacked(tmp_path, magic + noise)


@given(
    st.lists(st.integers(1, 4095), min_size=1, max_size=400), st.sampled_from([2, 5]), st.booleans(), st.integers(1, 99)
)
@QUICK
def test_any_codes_end(tmp_path, codes, version, variable, lrecl):
    unpacked(tmp_path, writers.terse_file(codes, version=version, variable=variable, lrecl=lrecl))


@pytest.mark.parametrize(
    ("package", "code", "content"),
    [
        (PACKAGES["terse"][:300], "package_truncated", writers.rdw_stream(RECORDS[:2])),
        (PACKAGES["xmit"][:600], "package_truncated", writers.rdw_stream(RECORDS[:2])),
        (PACKAGES["xmit"] + b"more", "package_trailing", CONTENT),
        (PACKAGES["terse"] + b"more", "package_trailing", CONTENT),
        (writers.terse_file([66, 66, *[2] * 500, 4095], version=5, variable=False, lrecl=1), "package_damaged", b"AA"),
        (writers.terse_file([66] * 7, variable=False, lrecl=3), "package_damaged", b"A" * 6),
        (writers.xmit_file([b"12345678"], recfm=0x9000, lrecl=3), "package_damaged", b"123456"),
    ],
)
def test_kind_of_damage_is_named_and_the_good_part_delivered(tmp_path, package, code, content):
    layers, out, (issue,) = unpacked(tmp_path, package)
    assert layers
    assert issue.code == code
    assert out.rstrip(b"\1") == content


@pytest.mark.parametrize("kind", ["gzip", "zip", "piped zip"])
def test_deflate_gives_everything_before_a_wrong_checksum(tmp_path, kind):
    package = bytearray(PACKAGES[kind])
    at = {"gzip": len(package) - 8, "zip": 14, "piped zip": package.find(b"PK\7\x08") + 4}[kind]
    package[at] ^= 1
    _, content, (issue,) = unpacked(tmp_path, bytes(package))
    assert (content, issue.code) == (CONTENT, "package_damaged")


@pytest.mark.parametrize("seekable", [True, False])
def test_members_behind_a_damaged_one_are_still_read(tmp_path, seekable):
    noise = random.Random(1).randbytes(15_000).hex().encode()
    package = bytearray(writers.zip_file({"a": noise, "b": CONTENT}, seekable=seekable))
    package[5_000:5_040] = b"\xff" * 40
    path = tmp_path / "input"
    path.write_bytes(package)
    members = [(m.read(), [issue.code for issue in m.issues]) for m in unpack(path)]
    assert members[0][1][0] == "package_damaged"
    assert members[1] == (CONTENT, [])


def test_file_that_damage_named_like_a_folder_is_still_read(tmp_path):
    for seekable in (True, False):
        package = writers.zip_file({"inside": CONTENT, "b": b"b"}, seekable=seekable).replace(b"inside", b"insid/", 1)
        assert unpacked(tmp_path, package) == (("zip",), CONTENT + b"b", [])


def test_lost_member_is_reported_with_the_one_before(tmp_path):
    package = writers.zip_file({"a": b"first", "b": CONTENT, "c": b"third"})
    second = package.index(b"PK\3\4", 4)
    path = tmp_path / "input"
    path.write_bytes(package[:second] + b"XX" + package[second + 2 :])
    members = [(m.read(), [(issue.code, issue.offset) for issue in m.issues]) for m in unpack(path)]
    assert members == [(b"first", [("package_damaged", second)]), (b"third", [])]


@pytest.mark.parametrize("flags", [0x00, 0x40, 0xA0])
def test_segments_that_do_not_fit_are_reported(tmp_path, flags):
    package = writers.xmit_file([b"first", b"second", b"third"])
    at = package.index(b"\x08\xc0second")
    damaged = package[: at + 1] + bytes((flags,)) + package[at + 2 :]
    _, content, issues = unpacked(tmp_path, damaged)
    assert content == writers.rdw_stream([b"first", b"third"])
    assert [issue.code for issue in issues] == ["package_damaged"]
