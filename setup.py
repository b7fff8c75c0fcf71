"""The package list is computed, so that a new folder can't be lost from the wheel; the rest is in pyproject.toml."""

from setuptools import find_namespace_packages, setup

ROOTS = ("parsers", "models", "toolkit")
FOLDERS = [
    f"{root}{below}" for root in ROOTS for below in ["", *(f".{name}" for name in find_namespace_packages(root))]
]
setup(packages=["iosq", *(f"iosq.{folder}" for folder in FOLDERS)])
