"""Machine models: queueing, simulation and the machine files they read."""
