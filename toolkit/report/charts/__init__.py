"""Each chart has a TOML file, and a module with `title`, `draw` and, if needed, `summary` or `from_findings`."""
