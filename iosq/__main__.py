"""`python -m iosq`: the command, where its script is not on the path."""

from iosq.toolkit.cli.start import run

run()
