"""Sites made up from the truth, to score the rules: what happens to volumes, boxes and paths, and its rows."""
