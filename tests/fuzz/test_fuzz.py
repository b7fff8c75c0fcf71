"""Some mutated inputs of every kind, those that once failed, and proof that the harness sees what it looks for."""

import subprocess
import sys
import time
from itertools import count, islice
from pathlib import Path
from random import Random

import pytest

from tests.fuzz import campaign as campaigns
from tests.fuzz import structure
from tests.fuzz.campaign import campaign, fault, kept
from tests.fuzz.kinds import KINDS, ROOT, Kind
from tests.fuzz.mutate import mutated

RUNS = 40
KEPT = [(name, path) for name in KINDS for path in kept(name)]


@pytest.mark.parametrize("name", KINDS)
def test_mutated_inputs_are_read_or_refused(name: str) -> None:
    result = campaign(KINDS[name], RUNS, seed=1)
    assert result.runs == RUNS
    assert [text for text, _ in result.failures] == []


@pytest.mark.parametrize(("name", "path"), KEPT, ids=[path.stem for _, path in KEPT])
def test_what_once_failed_is_read_or_refused(name: str, path: Path) -> None:
    assert fault(KINDS[name], path.read_bytes())[0] == ""


def test_sound_inputs_have_no_fault_and_most_mutations_change_something() -> None:
    seeds = KINDS["fcx"].seeds()
    assert {fault(KINDS["fcx"], data)[0] for data in seeds} == {""}
    changed = [mutated(seeds, run, 0, text=True) for run in range(50)]
    assert changed == [mutated(seeds, run, 0, text=True) for run in range(50)]
    assert len(set(changed) - set(seeds)) > 45


@pytest.mark.parametrize("name", [name for name in KINDS if KINDS[name].parts])
def test_one_input_of_sixteen_is_a_file_and_the_others_use_every_example(name: str) -> None:
    files = list(campaigns.files(KINDS[name], 512, 0))
    assert (sum(map(len, files)), sum(len(inputs) == 1 for inputs in files)) == (512, 32)
    parts = KINDS[name].parts() if KINDS[name].parts else []  # type: ignore[misc]
    assert sorted(islice(campaigns._turns(parts, 0), len(parts))) == sorted(parts)


@pytest.mark.parametrize("name", ["rmf", "fcx"])
def test_every_second_file_of_listings_has_sound_headings(name: str) -> None:
    kind = KINDS[name]
    heads = {kind.headed(part)[0] for part in kind.parts()}  # type: ignore[misc]
    first, second = (inputs for inputs in campaigns.files(kind, 256, 0) if len(inputs) > 1)
    begins = [sum(data.startswith(tuple(heads)) for data in inputs) for inputs in (first, second)]
    assert begins[1] == campaigns.OF and len(second) == len(first)


def _raise(_data: bytes, _random: Random) -> object:
    raise OverflowError("too large")


def _unbalanced(_data: bytes, _random: Random) -> object:
    raise AssertionError("out of balance")


def _sleep(_data: bytes, _random: Random) -> object:
    while time.process_time() < 1e9:
        pass
    return None


def _another(_data: bytes, random: Random) -> object:
    return random.random()


def _nothing(_data: bytes, _random: Random) -> object:
    return None


@pytest.mark.parametrize(
    ("read", "words"),
    [
        (_raise, "OverflowError in test_fuzz.py"),
        (_unbalanced, "out of balance"),
        (_sleep, "not ready after 0.1 s of processor time"),
        (_another, "other rows the second time"),
    ],
    ids=["traceback", "balance", "hang", "rows"],
)
def test_the_harness_sees_what_it_looks_for(read: object, words: str) -> None:
    kind = Kind("made up", lambda: [b"x"], read)  # type: ignore[arg-type]
    assert words in fault(kind, b"x", seconds=0.1)[0]


def test_memory_beyond_the_bound_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    held = count(100, 401)
    monkeypatch.setattr(campaigns, "memory_mb", lambda: next(held))
    assert fault(Kind("made up", lambda: [b"x"], _nothing), b"x")[0] == "more than 400 MB for one input"


def test_the_command_prints_figures() -> None:
    command = [sys.executable, "-m", "tests.fuzz", "gzip", "--runs", "5"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "gzip" in done.stdout
    assert "limits: 10 s and 400 MB an input; seed 0" in done.stdout


def _with_triplet() -> bytes:
    """A record's length, then a triplet at 24: 3 sections of 20 bytes at 40."""
    return bytes([0, 100, 0, 0]) + b"\0" * 20 + bytes([0, 0, 0, 40, 0, 20, 0, 3]) + b"\xf1\xf2\xf3\x00" + b"\0" * 64


def test_triplets_are_found_by_what_they_describe() -> None:
    assert structure.triplets(_with_triplet()) == [24]


@pytest.mark.parametrize("name", ["length", "triplet", "digits"])
def test_structure_is_changed_in_its_place(name: str) -> None:
    """Nothing moves: what is changed is a number that leads a reader on, and only that."""
    places = {"length": range(100), "triplet": range(24, 32), "digits": range(32, 35)}[name]
    for seed in range(50):
        data = bytearray(_with_triplet())
        getattr(structure, name)(Random(seed), data, [])
        assert len(data) == 100
        assert {i for i, (a, b) in enumerate(zip(data, _with_triplet(), strict=True)) if a != b} <= set(places)


def test_a_longer_number_takes_the_blanks_before_it_or_moves_its_line() -> None:
    sizes = set()
    for seed in range(50):
        data = bytearray(b"VOL001        12.5   7\n")
        structure.width(Random(seed), data, [])
        assert data.startswith(b"VOL001 ") and data.endswith(b"\n") and data != b"VOL001        12.5   7\n"
        sizes.add(len(data))
    assert 23 in sizes and len(sizes) > 2
