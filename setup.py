"""The package list is computed, so that a new folder can't be lost from the wheel; the rest is in pyproject.toml."""

from setuptools import find_namespace_packages, setup

ROOTS = ("parsers", "models", "toolkit")
setup(packages=[f"iosq.{p}" for root in ROOTS for p in [root, *(f"{root}.{q}" for q in find_namespace_packages(root))]])
