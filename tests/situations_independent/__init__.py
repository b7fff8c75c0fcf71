"""Situations from practice, by somebody who has not read the rules; what an expert would say is given with each.

python -m tests.situations_independent
"""
