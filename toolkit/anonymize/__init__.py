"""Copy a lake for others to see, with names replaced by keyed hashes and the same structure and numbers; verify it."""

from iosq.toolkit.anonymize.copy import Outcome, anonymize
from iosq.toolkit.anonymize.proof import Proof, prove

__all__ = ["Outcome", "Proof", "anonymize", "prove"]
