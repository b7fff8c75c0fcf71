"""Situations from practice, by somebody who has not read the rules; what an expert would say stands beside each.

python -m tests.situations_independent
"""
