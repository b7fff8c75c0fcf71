"""Evidence about the subjects of rules: queries shared by several rules, and their results."""
