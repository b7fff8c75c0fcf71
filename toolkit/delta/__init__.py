"""A lake as Delta Lake tables, for engines that know nothing of it."""

from iosq.toolkit.delta.export import Exported, export

__all__ = ["Exported", "export"]
