"""Printed listings of any product: lines with carriage control, columns found by their headings, printed numbers.

`lines`    bytes of a stream as lines with number, offset and size; code page, line ends and control column detected
`heading`  heading lines as columns: wrapped words joined, `<--- group --->` spans named, right edges kept
`cells`    many rows as one character matrix, cut where the headings (and the blanks under them) say
`records`  records with descriptor words (out of TERSE, XMIT) as lines
`numbers`  printed numbers: `.5`, `12.3K`, `....` for missing; one value or a matrix of cells
"""
