"""Reads printed listings of any product: lines with carriage control, columns found by headings, printed numbers.

`lines`    bytes of a stream as lines with number, offset and size; code page, line ends and control column detected
`heading`  heading lines as columns: wrapped words joined, `<--- group --->` spans named, right edges kept
`cells`    many rows as one character matrix, split at columns by their headings and the blanks below them
`records`  records with descriptor words (from TERSE, XMIT) as lines
`numbers`  printed numbers: `.5`, `12.3K`, `....` for missing; one value or a matrix of cells
"""
