"""`python -m iosq`: the command, for when its script is not on the path."""

from iosq.toolkit.cli.start import run

run()
