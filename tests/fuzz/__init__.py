"""Mutated inputs of every kind, read in this process: `python -m tests.fuzz KIND --runs N`."""
