"""Every sentence the program can say, with none, one, two and many: see `test_sentences`."""
