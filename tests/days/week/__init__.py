"""Eight days of a small site, for problems that show against the past only."""
