"""What can be trusted, in figures: `python -m tests.figures [name …] [--count N] [--keep FILE] [--page FILE]`."""
