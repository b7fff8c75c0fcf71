"""Presentation of results everywhere: numbers in words, tables, theme of charts, files.

The code is independent of the content; every layer of the architecture may use it.
"""
