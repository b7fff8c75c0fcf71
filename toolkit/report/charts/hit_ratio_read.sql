-- title: Read hit ratio of the 24 subsystems with the lowest
-- grain: one row per subsystem, t
-- columns: t, subsystem, step_s, intervals, hit_ratio, whole_ratio, least, least_at, most
{{ hit_ratio("read") }}
