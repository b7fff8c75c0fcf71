"""Apache Spark: load a lake with the tasks of a cluster, and run queries on it."""
