"""List and describe machine files."""

from iosq.models.machine import Machine, available, forms, load
from iosq.toolkit.errors import RequestError
from iosq.toolkit.predict.answer import Answer

DESCRIBE = "iosq describe machine NAME shows every number with its source"
ASKED = "nothing published of those without parameters allows a prediction: describe machine NAME says what to ask"


def of_kind(name: str, kind: str, place: str = "--machine") -> Machine:
    """The machine of that name; RequestError if it is unreadable or of another kind than the ones it names."""
    found = load(name)
    if found.kind != kind:
        fitting = ", ".join(other for other in available() if load(other).kind == kind)
        raise RequestError(f"{found.name} is a {found.kind}, not a {kind}", place=place, remedy=f"choose {fitting}")
    return found


def machines() -> Answer:
    """The machines that the models support: name, kind and title, one row each."""
    found = [load(name) for name in available()]
    rows = [{"machine": m.name, "kind": m.kind, "title": m.title, "parameters": len(m.parameters)} for m in found]
    asked = [{"machine": n, "kind": f["kind"], "title": f["title"], "parameters": 0} for n, f in forms().items()]
    return Answer((*rows, *asked), (DESCRIBE, ASKED))


def machine(name: str) -> Answer:
    """Every number of one machine: unit, how it was obtained, source, spread, note.

    Args:
        name: a machine that `machines` lists, or a .toml file.

    Raises:
        RequestError: there is no such machine, or its file can't be read.
    """
    found = load(name)
    rows = tuple(
        {"parameter": key} | {n: getattr(p, n) for n in ("value", "unit", "how", "spread", "source", "note")}
        for key, p in found.parameters.items()
    )
    about = {"machine": found.name, "title": found.title, "kind": found.kind}
    return Answer(rows, (f"{found.name}: {found.title} (kind {found.kind})",), about)
