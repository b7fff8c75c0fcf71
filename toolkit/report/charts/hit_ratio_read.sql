-- question: hit_ratio_read
-- title: Read hit ratio of the 24 subsystems with the lowest
-- grain: one row per subsystem, t
-- column t TIMESTAMP []: Start of the step, local time
-- column subsystem VARCHAR []: Subsystem (SSID)
-- column step_s INTEGER [s]: Length of the step
-- column hit_ratio DOUBLE [ratio 0..1]: Hits per access
-- column whole_ratio DOUBLE [ratio 0..1]: The same over the whole span
/* hit ratio of read */
