-- question: predict_headroom
-- title: Spare capacity of path and back end of each volume in an interval
-- grain: one row per system, volume
-- parameter $platform VARCHAR []: Operating system that measured
-- parameter $interval_start TIMESTAMP [UTC]: Start of the measured interval
-- column system VARCHAR []: System id
-- column volume VARCHAR []: Volume serial, or device where it has none
-- column service_ms DOUBLE [milliseconds]: Pend, disconnect and connect time per I/O
-- column cmr_ms DOUBLE [milliseconds]: Initial command response time, and what follows, as in volume_headroom
-- column start_delay_ms DOUBLE [milliseconds]: CSS delay and control unit busy delay
-- column disc_ms DOUBLE [milliseconds]: Disconnect time
-- column miss_ms DOUBLE [milliseconds]: Part of read misses
-- column copy_ms DOUBLE [milliseconds]: Part of writes that wait for a second box, the same at any load
-- column back_end_ms DOUBLE [milliseconds]: Mean time of a read from the disks
-- column back_end_best_ms DOUBLE [milliseconds]: The same of the pool's fourth best interval
-- column channel_used_ratio DOUBLE [ratio 0..1]: Use of the fullest channel
SELECT
    system, volume, service_ms, cmr_ms, start_delay_ms, disc_ms, miss_ms, copy_ms, back_end_ms, back_end_best_ms,
    channel_used_ratio
FROM volume_headroom
WHERE platform = $platform AND interval_start = $interval_start
