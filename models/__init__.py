"""What the machines do: queueing, simulation and the machine files they are fed with."""
