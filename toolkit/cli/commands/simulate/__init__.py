"""`iosq simulate`: predictions. One module per kind."""

KINDS = ("change", "channel", "dump", "fit", "migrate", "nvs", "pav", "plan", "tape")
HELP = """Predict the effect of changes, from a lake or from numbers.

Example: iosq simulate pav DB2003 --system SYSA --machine ds8100
"""
