"""One SQL file per table; its header names the table and its columns."""
