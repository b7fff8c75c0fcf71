"""Export a lake as Delta Lake tables, for other engines."""

from iosq.toolkit.delta.export import Exported, export

__all__ = ["Exported", "export"]
