"""Devices that take no aliases and queue; `rule.toml` says more."""
