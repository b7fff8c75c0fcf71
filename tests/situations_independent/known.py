"""Situations that are answered wrongly today, with the fault; take the line out when it is mended."""

WRONG: dict[str, str] = {}
