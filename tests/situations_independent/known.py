"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

from __future__ import annotations

WRONG: dict[str, str] = {
    "path_repaired_at_eight": "a path that was slow until 08:00 and is as quick as the others since is still an act",
}
