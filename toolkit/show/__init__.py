"""Presentation of results: numbers in words, tables, theme of charts, files.

Independent of the content; every layer of the architecture may use it.
"""
