"""Spark's error messages in one line."""

_CALLED = "An error occurred while calling "  # line added by the bridge to Java; the next line has Java's message


def message(error: Exception) -> str:
    """The first line of the message that gives the cause."""
    lines = [line for line in str(error).strip().splitlines() if not line.startswith(_CALLED)]
    return lines[0].removeprefix(": ").strip() if lines else type(error).__name__
