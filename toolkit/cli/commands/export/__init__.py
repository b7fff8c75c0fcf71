"""`iosq export`: a lake for other engines."""

KINDS = ("delta", "duckdb")
HELP = """Export a lake for other query engines.

Example: iosq export delta tables
"""
