"""Words that the product avoids, and the check of all its texts: `python -m tests.words`."""
