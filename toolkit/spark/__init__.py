"""Apache Spark: loads a lake with the tasks of a cluster, and answers questions about it."""
