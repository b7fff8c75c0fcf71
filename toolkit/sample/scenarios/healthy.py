"""No change: volumes without problems, to test for false alarms."""

from iosq.toolkit.sample.planting import Scenario

SCENARIO = Scenario("Volumes and LCUs not named by another scenario have no trouble")
