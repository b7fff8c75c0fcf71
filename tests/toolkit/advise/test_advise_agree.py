"""Aliases against a slow or full way to the box: what names a count, and what says that aliases will not help."""

import datetime as dt
import re
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from advise_rows import Row, box, channel, database, pool, taken, volume

from iosq.toolkit.advise import Finding
from iosq.toolkit.advise.agree import NO_HELP, about, agreed, moved_here, other_delays
from iosq.toolkit.advise.catalog import all_rules
from iosq.toolkit.advise.engine import apply, run
from iosq.toolkit.advise.finding import Aliases, Verdict
from iosq.toolkit.advise.grouped import apart
from iosq.toolkit.advise.places import Places
from iosq.toolkit.advise.subject import lcus
from iosq.toolkit.advise.window import Episode
from iosq.toolkit.sql.engine import Connection
from iosq.toolkit.sql.questions import ask

RULES = {r.code: r for r in all_rules()}
TITLES = {r.code: r.title for r in all_rules()}
INTERVALS = 12
DRY = range(6, 12)


def an_lcu(
    lcu: str, *, cmr: float, pend: float, queue: float, disc: float, hyperpav: bool, at: range = DRY
) -> list[Row]:
    """Four volumes of an LCU, 1 ms of service at ease; from the seventh quarter hour on they queue.

    Args:
        cmr, pend: what the way takes more in the hours `at`, and what of it is no command response time.
        queue: I/Os that wait in the host then.
        disc: what disconnect takes more then.
    """
    rows = []
    for n, v in product(range(INTERVALS), range(4)):
        late, waits = n in at, n in DRY
        rows.append(
            volume(n, f"V{lcu}{v}", rate=500.0, wait=queue / 2 if waits else 0.0, lcu=lcu, is_hyperpav=hyperpav,
                   exposures=None if hyperpav else 2.0, cmr_ms=0.1 + cmr * late, pend=0.2 + (cmr + pend) * late,
                   disc=0.3 + disc * late, conn=0.5, device_busy_ms=0.0, read_ratio=0.7)
        )  # fmt: skip
    return rows


def of_lcu(rows: list[Row], hyperpav: bool) -> list[Row]:
    """The LCU's own rows, its pool dry while its volumes queue."""
    reported = []
    for n in range(INTERVALS):
        mine = [r for r in rows if r["interval_start"] == rows[4 * n]["interval_start"]]
        queue = sum(r["queue_length"] for r in mine)
        means = {
            name: mine[0][name]
            for name in ("cmr_ms", "pend_ms", "disc_ms", "conn_ms", "wait_ms", "response_ms", "service_ms")
        }
        own = pool(n, denied=1000.0 * (queue > 0), lcu=mine[0]["lcu"], queue_length=queue, device_busy_ms=0.0,
                   **means)  # fmt: skip
        none = dict.fromkeys(("alias_io_count", "alias_denied_count", "alias_denied_ratio", "hyperpav_aliases"))
        reported.append(own | {"io_rate": 2000.0} | ({} if hyperpav else none))
    return reported


def situation(**more: float | bool | range) -> Connection:
    usual = {"cmr": 0.0, "pend": 0.0, "queue": 4.0, "disc": 0.0, "hyperpav": True}
    rows = an_lcu("0011", **(usual | more))  # type: ignore[arg-type]
    own = of_lcu(rows, bool((usual | more)["hyperpav"]))
    # the back end is at ease: aliases gain
    eased = [{n: r[n] for n in ("interval_start", "volume", "service_ms", "disc_ms")} for r in rows]
    eased = [r | {"cmr_ms": 0.1, "start_delay_ms": 0.0, "miss_ms": r["disc_ms"], "copy_ms": 0.0} for r in eased]
    eased = [r | {"back_end_ms": 1.0, "back_end_best_ms": 1.0, "channel_used_ratio": 0.1} for r in eased]
    idle = [pool(n, lcu="0010", alias_high_water=1, hyperpav_aliases=24) for n in range(24)]
    boxes = [{"lcu": lcu, "box": "AB1", "serial": "AB1"} for lcu in ("0010", "0011")]
    pools = [*own, *idle]
    return database(("pav_candidate",), volume_interval=rows, lcu_interval=pools, volume_headroom=eased, lcu_box=boxes)


def random_day(seed: int, lcus: int = 16) -> Connection:
    """Ways slow or not, while volumes queue or at other hours; full channels; disconnect; pools and static PAV."""
    rng = np.random.default_rng(seed)
    volumes, own, paths, channels = [], [], [], []
    for number in range(lcus):
        lcu, path, hyperpav, full = f"{number:04X}", f"{number + 16:02X}", number % 2 == 0, rng.random() < 0.4
        late = {"cmr": rng.choice([0.0, 0.5, 2.0, 5.0]), "pend": rng.choice([0.0, 0.4, 1.5])}
        at, queue = [DRY, range(6), range(3, 8)][rng.integers(3)], rng.choice([0.0, 2.0, 10.0])
        rows = an_lcu(lcu, **late, queue=queue, disc=rng.choice([0.0, 0.0, 1.0]), hyperpav=hyperpav, at=at)
        volumes += [r | {"subsystem": "2010"} for r in rows]
        own += of_lcu(rows, hyperpav)
        paths += [taken(n, lcu, path, 2000.0) for n in range(INTERVALS)]
        channels += [channel(n, path, 0.97 if full and n in at else 0.2) for n in range(INTERVALS)]
    ways = {"lcu_path_interval": paths, "channel_interval": channels, "cache_subsystem_interval": [box("2010", "AB1")]}
    measured = [{"interval_start": r["interval_start"]} for r in volumes[: 4 * INTERVALS : 4]]
    return database(("pav_candidate",), volume_interval=volumes, lcu_interval=own, measured_interval=measured, **ways)


def lcus_of(f: Finding) -> set[str]:
    """LCUs by name; a volume's is in its name."""
    return {name[1:5] if name.startswith("V") else name for s in f.about or {f.subject} for name in s.names}


def gives(f: Finding) -> bool:
    return bool(f.aliases and f.aliases.verdict == "add")


@pytest.fixture(scope="module", params=[1])
def day(request: pytest.FixtureRequest) -> tuple[Connection, list[Finding]]:
    con = random_day(request.param)
    return con, run(con)


def test_what_gives_aliases_and_what_denies_them_name_each_other(day: tuple[Connection, list[Finding]]) -> None:
    """A law: no two findings to act on about the same LCU advise opposite things without a word of the other."""
    found = [f for f in apart(day[1]) if f.severity == "act"]
    give = [f for f in found if gives(f)]
    deny = [f for f in found if not gives(f) and NO_HELP.search(f.advice)]
    met = [(one, other) for one in give for other in deny if lcus_of(one) & lcus_of(other)]
    assert give and {"slow_path", "channel_busy"} <= {f.code for f in deny} and met, "both kinds of advice are given"
    for one, other in met:
        assert about(TITLES[other.code]) in other_delays(one)
        assert "(those that are advised here shorten IOSQ only)" in other.advice


def test_no_words_have_the_code_of_a_rule(day: tuple[Connection, list[Finding]]) -> None:
    words = " ".join(f"{f.whole_text} {f.advice} {f.effect and f.effect.basis}" for f in day[1])
    assert not {code for code in RULES if re.search(rf"\b{code}\b", words)}


def test_no_count_where_the_way_takes_a_good_part_of_the_time(day: tuple[Connection, list[Finding]]) -> None:
    """A law: hours in which a third of the service, and 1 ms, is the way's give no number of aliases."""
    con, found = day
    slow = con.execute(
        "SELECT lcu, bool_and(above_ms >= greatest(1.1, 0.35 * service_ms)), bool_or(above_ms >= 1) FROM way_interval "
        "WHERE wait_ms > 0 GROUP BY lcu"
    ).fetchall()
    given = {name for f in found if gives(f) for name in lcus_of(f)}
    always, never = {lcu for lcu, every, _ in slow if every}, {lcu for lcu, _, some in slow if not some}
    assert always and never and given & never
    assert not given & always


def test_no_effect_is_negative_or_the_wrong_way_round(day: tuple[Connection, list[Finding]]) -> None:
    """A law: 0 <= low <= value <= high, and no response that advice shortens is longer than now."""
    effects = [(f, f.effect) for f in day[1] if f.effect]
    assert len({f.code for f, _ in effects}) >= 5
    for f, e in effects:
        assert 0 <= e.low <= e.value + 1e-9 and e.value <= e.high + 1e-9, f
        assert not e.what.startswith("response") or e.value <= e.now + 1e-9, f


def together(*codes: str, **more: float | bool | range) -> dict[str, Finding]:
    """What these rules say of one LCU."""
    con = situation(**more)
    places = Places(ask(con, RULES["volumes_moved"].question).to_pylist())
    return {f.code: f for f in agreed([f for code in codes for f in apply(con, RULES[code])], places, TITLES)}


GIVERS = {True: ("alias_pool_dry", "closed_load"), False: ("pav_add_alias", "closed_load")}


@pytest.mark.parametrize("hyperpav", [True, False])
def test_a_slow_way_speaks_before_aliases(hyperpav: bool) -> None:
    """2 of 3 ms, or 1.5 of 2.5, are the way's: nothing names a count; without them something does."""
    assert any(map(gives, together(*GIVERS[hyperpav], hyperpav=hyperpav).values()))
    for more in ({"cmr": 2.0}, {"pend": 1.5}):
        late = together(*GIVERS[hyperpav], hyperpav=hyperpav, **more).values()
        assert late and not any(map(gives, late)) and all("liases will not help" in f.advice for f in late)


def test_hours_with_a_good_way_keep_their_count() -> None:
    """Slow in the first hours with a queue: the others name aliases, and the path is stated next to."""
    found = together("alias_pool_dry", "slow_path", cmr=2.0, at=range(3, 8))
    assert "found here: the path to a control unit is slow" in found["alias_pool_dry"].advice
    assert NAMED in found["slow_path"].advice and gives(found["alias_pool_dry"])


NAMED = "(those that are advised here shorten IOSQ only)"


def test_disconnect_and_aliases_name_each_other() -> None:
    found = together("alias_pool_dry", "disc_unexplained", disc=1.0)
    assert "found here: disconnect rises" in found["alias_pool_dry"].advice
    assert f"Aliases don't shorten disconnect {NAMED}" in found["disc_unexplained"].advice


def test_aliases_that_one_finding_borrows_and_another_takes_away() -> None:
    """Neither gives away what the other needs without a word of it."""
    found = {str(f.subject): f for f in run(situation(), topic="pav") if f.aliases}
    dry, idle = found["LCU 0011 on SYSA"], found["LCU 0010"]
    assert "let LCU 0010 of the same box lend" in dry.advice and idle.code == "pool_too_large"
    assert "Keep those of LCU 0010 for that: another finding would remove them" in dry.advice
    assert idle.advice.startswith("Keep them until LCU 0011 on SYSA no longer waits for aliases. If none is lent")


@pytest.mark.parametrize(
    ("hours", "verdict", "is_named"),
    [(14, "enough", True), (25, "enough", False), (-1, "enough", False), (14, "add", False)],
)
def test_what_began_after_aliases_moved_a_wait_names_that_wait(hours: int, verdict: Verdict, is_named: bool) -> None:
    """Within a day, and where the aliases ended the wait."""
    until = dt.datetime(2026, 3, 4, 18)
    waits = Finding("watch", lcus(["0010"], "SYSA"), "", "", (), "", 1.0, aliases=Aliases(verdict),
                    when=Episode(until - dt.timedelta(hours=8), until, 8, 1))  # fmt: skip
    start = until + dt.timedelta(hours=hours)
    slow = replace(waits, severity="act", aliases=None, when=Episode(start, start + dt.timedelta(hours=8), 8, 1))
    row = {"system": "SYSA", "volume": "V0", "platform": "z/OS", "lcu": "0010", "device": None, "box": "B",
           "pav": "HyperPAV", "is_mirrored": None, "is_named": True, "seen_start": until,
           "seen_end": until}  # fmt: skip
    found = moved_here([waits, slow], Places([row]))
    assert found[0] == waits
    assert ("LCU 0010 on SYSA waited for aliases before it began" in found[1].details) == is_named
