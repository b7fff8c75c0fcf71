"""An ingest by a cluster of real worker processes in which something dies: run as a script by `test_ingest`.

    python -m tests.toolkit.spark.on_cluster (tasks | driver) LAKE DUMP FOLDER

`tasks`: the first attempts at slices 0 and 1 write their files and are killed. `driver`: this process is killed before
it commits.
"""

import importlib
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path

from iosq.toolkit.lake.lake import Lake
from iosq.toolkit.lake.slices import Job
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
}


def cuts(size: int) -> list[int]:
    """Where the dump is cut, however small it is."""
    return [size * n // CUTS for n in range(1, CUTS)]


class Dying(on_spark._Reported):
    """Work whose first attempts die after they have written all they write."""

    def __init__(self, work: Callable[[object], object]) -> None:
        super().__init__(work)
        self.folder = Path(sys.argv[-1])

    def __call__(self, asked: object) -> object:
        done = super().__call__(asked)
        number = asked[1] if isinstance(asked, tuple) and isinstance(asked[0], Job) and len(asked) == 3 else None
        if number in (0, 1) and self._is_first(f"attempt{number}"):
            os.kill(os.getpid(), signal.SIGKILL)
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
        local = importlib.import_module("iosq.toolkit.lake.ingest")
        local.commit = lambda *_args, **_options: os.kill(os.getpid(), signal.SIGKILL)  # type: ignore[attr-defined]
    else:
        on_spark._Reported = sys.modules["tests.toolkit.spark.on_cluster"].Dying  # type: ignore[misc]
    outcomes = on_spark.ingest(lambda: session, Lake(Path(lake)), [Path(dump)], cuts=cuts)
    print(*(o.status for o in outcomes))
    session.stop()


if __name__ == "__main__":
    import tests.toolkit.spark.on_cluster  # noqa: F401 - executors know the class by this name

    main(*sys.argv[1:4])
