"""A chart has a TOML file, and a module with `title`, `draw`, and `summary` or `from_findings` where it needs them."""
