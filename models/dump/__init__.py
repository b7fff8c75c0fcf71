"""Model of stand-alone dump and IPCS initialization times."""

from iosq.models.dump.model import VOLUMES_MAX, Duration, dump_time, ipcs_time, volumes_worth_having

__all__ = ["VOLUMES_MAX", "Duration", "dump_time", "ipcs_time", "volumes_worth_having"]
