"""Fits a box to measured points: from a study, a handful of planned runs, or the intervals of a lake."""
