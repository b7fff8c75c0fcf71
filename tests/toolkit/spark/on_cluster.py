"""An ingest by a cluster of real worker processes in which something dies: run as a script by `test_ingest`.

    python -m tests.toolkit.spark.on_cluster (tasks | driver) LAKE DUMP FOLDER

`tasks`: the first attempt at slice 0 writes its files and then hangs, so that a speculative one overtakes it; the first
at slice 1 writes its files and is killed. `driver`: this process is killed before it commits.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from iosq.toolkit.lake import Lake
from iosq.toolkit.lake import ingest as local
from iosq.toolkit.spark import ingest as on_spark
from iosq.toolkit.spark.session import begin

ROOT = Path(__file__).parents[3]
CUTS = 3
CONF = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.executorEnv.PYTHONPATH": str(ROOT),
    "spark.speculation": "true",
    "spark.speculation.interval": "100ms",
    "spark.speculation.quantile": "0.3",
    "spark.speculation.multiplier": "1.1",
}


def cuts(size: int) -> list[int]:
    """Where the dump is cut, however small it is."""
    return [size * n // CUTS for n in range(1, CUTS)]


class Dying(on_spark._Told):
    """Work whose first attempts come to grief after they have written all they write."""

    def __init__(self, work: Callable[[object], object]) -> None:
        super().__init__(work)
        self.folder = Path(sys.argv[-1])

    def __call__(self, asked: object) -> object:
        done = super().__call__(asked)
        number = getattr(asked, "number", None)
        if number in (0, 1) and self._is_first(f"attempt{number}"):
            if number == 1:
                os.kill(os.getpid(), signal.SIGKILL)
            time.sleep(600)
        return done

    def _is_first(self, name: str) -> bool:
        try:
            (self.folder / name).touch(exist_ok=False)
        except FileExistsError:
            return False
        return True


def main(what: str, lake: str, dump: str) -> None:
    """Ingest the dump, in trouble."""
    os.environ["PYSPARK_SUBMIT_ARGS"] = " ".join(f"--conf {k}={v}" for k, v in CONF.items()) + " pyspark-shell"
    session = begin("local-cluster[2,1,1024]")
    if what == "driver":
        local.commit = lambda *_args, **_options: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[assignment]
    else:
        on_spark._Told = sys.modules["tests.toolkit.spark.on_cluster"].Dying  # type: ignore[misc]
    outcomes = on_spark.ingest(session, Lake(Path(lake)), [Path(dump)], cuts=cuts)
    print(*(o.status for o in outcomes))
    session.stop()


if __name__ == "__main__":
    import tests.toolkit.spark.on_cluster  # noqa: F401 - executors know the class by this name

    main(*sys.argv[1:4])
