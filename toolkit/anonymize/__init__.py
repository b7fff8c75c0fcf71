"""A lake that can be shown to others: names replaced by keyed hashes, structure and numbers kept, and the proof."""

from iosq.toolkit.anonymize.copy import Outcome, anonymize
from iosq.toolkit.anonymize.proof import Proof, prove

__all__ = ["Outcome", "Proof", "anonymize", "prove"]
