"""The package list is computed, so that a new folder can't be lost from the wheel; the rest is in pyproject.toml.

An editable install is a plain path entry. The import hook that setuptools makes otherwise comes after the search of
folders: in the folder above a clone named iosq, Python would take the clone for a package without modules.
"""

from setuptools import find_namespace_packages, setup

ROOTS = ("parsers", "models", "toolkit")
FOLDERS = [
    f"{root}{below}" for root in ROOTS for below in ["", *(f".{name}" for name in find_namespace_packages(root))]
]
setup(
    packages=["iosq", *(f"iosq.{folder}" for folder in FOLDERS)],
    options={"editable_wheel": {"mode": "compat"}},
)
