"""How results look, wherever they are shown: numbers in words, tables, charts' theme, files written.

Nothing here knows what is shown; every row of the architecture may use it.
"""
