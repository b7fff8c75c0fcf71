"""Dependencies: the licence of every package of the lock, and whether it has a known vulnerability.

Licences are those that the installed packages declare; they are compared with those compatible with Apache-2.0.
`pip-audit` (`make audit` installs it) asks the package index about vulnerabilities, package by package. If there is no
answer, or the index knows none of the packages, the figure reports this and is not fulfilled. `pip-audit` does not
read advisories from a file; `PIP_AUDIT_VULNERABILITY_SERVICE=osv PIP_AUDIT_OSV_URL=...` names a service with a copy of
them. `make lock` renews the lock.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata

from tests.figures.kept import ROOT, Figure, Line
from tests.figures.kept import failures as reported

LOCK = ROOT / "requirements.lock"
# what may be delivered with or next to a program under Apache-2.0; MPL-2.0 asks for its own files only
FINE = re.compile(
    r"Apache( Software License|-2\.0| 2\.0)?|(\d-Clause )?BSD([ -]\d-Clause)?( License)?|0BSD|MIT( License)?"
    r"|Public Domain|ISC( License \(ISCL\))?|PSF-2\.0|Zlib|CC0-1\.0|MPL-2\.0|Mozilla Public License 2\.0 \(MPL 2\.0\)"
)
NOT_ASKED = "not asked"


def locked() -> dict[str, str]:
    """Packages of the lock and their versions."""
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", LOCK.read_text("utf-8"), re.MULTILINE))


def licences(name: str) -> list[str]:
    """What an installed package says its licence is: all that are joined by AND."""
    about = metadata.metadata(name)
    classifiers = [c.rpartition(" :: ")[2] for c in about.get_all("Classifier") or [] if c.startswith("License ::")]
    declared = about.get("License-Expression") or (classifiers[0] if classifiers else about.get("License") or "")
    return declared.split(" AND ")


def fits(licence: str) -> bool:
    """Whether a licence, or one of several to choose from, goes with ours."""
    return any(FINE.fullmatch(one.strip()) for one in licence.split(" OR "))


def licensed() -> Line:
    """Every package of the lock that is installed here, with a licence or not."""
    found, wrong = {}, []
    for name in locked():
        try:
            found[name] = licences(name)
        except metadata.PackageNotFoundError:
            continue  # for another system or version of Python
        wrong += [f"{name}: {one or 'no licence'}" for one in found[name] if not fits(one)]
    kinds = sorted({one for many in found.values() for one in many})
    absent = sorted(set(locked()) - found.keys())
    return {
        "what": "licences",
        "packages": len(locked()),
        "looked at": len(found),
        "stated": ", ".join(kinds) + (f"; not installed here: {', '.join(absent)}" if absent else ""),
        "wrong": wrong,
    }


def audited(stated: str) -> tuple[int, list[str]]:
    """How many packages pip-audit knew, and vulnerabilities in what it wrote as JSON."""
    reported = [d for d in json.loads(stated)["dependencies"] if "skip_reason" not in d]
    return len(reported), [f"{d['name']} {d['version']}: {v['id']}" for d in reported for v in d["vulns"]]


def vulnerable() -> Line:
    """What is known of the packages of the lock."""
    line: Line = {"what": "known vulnerabilities", "packages": len(locked())}
    program = shutil.which("pip-audit", path=f"{sys.prefix}/bin") or shutil.which("pip-audit")
    if program is None:
        return {**line, "looked at": 0, "stated": f"{NOT_ASKED}: pip-audit is not installed (make audit)", "wrong": []}
    command = [program, "--requirement", str(LOCK), "--disable-pip", "--require-hashes", "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    try:
        known, wrong = audited(done.stdout)
    except ValueError:
        why = (done.stderr.strip().splitlines() or ["no answer"])[-1][:120]
        return {**line, "looked at": 0, "stated": f"{NOT_ASKED}: {why}", "wrong": []}
    stated = f"asked of {asked_of()}" if known else f"{NOT_ASKED}: {asked_of()} knows none of the packages"
    return {**line, "looked at": known, "stated": stated, "wrong": wrong}


def asked_of() -> str:
    """The service that pip-audit asks."""
    if os.environ.get("PIP_AUDIT_VULNERABILITY_SERVICE", "pypi") == "pypi":
        return "the package index (pip-audit, pypi)"
    return f"the service {os.environ['PIP_AUDIT_VULNERABILITY_SERVICE']} that was named (pip-audit)"


def run(kept: list[Line], count: int | None) -> Iterator[Line]:
    """Both, new each time."""
    yield licensed()
    yield vulnerable()


def table(kept: list[Line]) -> list[tuple[str, ...]]:
    """The last of each."""
    last = {n["what"]: n for n in kept}.values()
    return [
        ("check", "packages of the lock", "checked", "result", "failed"),
        *((*(str(n[k]) for k in ("what", "packages", "looked at", "stated")), str(len(failures([n])))) for n in last),
    ]


def failures(kept: list[Line]) -> list[str]:
    """Licences that don't fit, vulnerabilities, and a question that was not answered."""
    last = {n["what"]: n for n in kept}.values()
    return reported(last) + [f"{n['what']}: {n['stated']}" for n in last if str(n["stated"]).startswith(NOT_ASKED)]


FIGURE = Figure("dependencies", "Dependencies", "fitting licences, no known vulnerability", run, table, failures)
