"""Machine models: queueing models, simulation, and machine files."""
