-- name: paging_volumes
-- title: Paging volumes
-- about: Page data sets (type 75) and paging areas of CP (FCX109) over the whole span. The space in use of a PLPA data set is filled once and says nothing.
-- missing: The lake has no page data sets (type 75).
-- zvm: The lake has no paging areas: ingest DEVICE CPOWNED (FCX109).
-- column data_set: Page data set
-- column type: Type
-- column system: System
-- column volume: Volume
-- column device: Device
-- column used_percent .1: In use %, mean
-- column used_peak_percent .1: In use %, maximum
-- column peak: Maximum, local time
-- column page_rate .1: Pages per s
-- column io_rate .2: I/Os per s
-- column in_use_percent .1: Busy with paging %
WITH measured AS (
    SELECT *, local_start AS t, coalesce(most_used_ratio, used_ratio) AS peak_ratio
    FROM paging_volume_interval
    WHERE interval_s > 0
)
SELECT data_set, coalesce(page_data_set_type, area) AS type, system, volser AS volume, device,
       100 * sum(used_ratio * interval_s) / nullif(sum(CASE WHEN used_ratio IS NOT NULL THEN interval_s END), 0)
           AS used_percent,
       100 * max(peak_ratio) AS used_peak_percent, max_by(t, peak_order(peak_ratio, t)) AS peak,
       sum(total_page_rate * interval_s) / nullif(sum(CASE WHEN total_page_rate IS NOT NULL THEN interval_s END), 0)
           AS page_rate,
       sum(io_rate * interval_s) / nullif(sum(CASE WHEN io_rate IS NOT NULL THEN interval_s END), 0) AS io_rate,
       100 * sum(in_use_ratio * interval_s) / nullif(sum(CASE WHEN in_use_ratio IS NOT NULL THEN interval_s END), 0)
           AS in_use_percent
FROM measured
GROUP BY platform, system, data_set, coalesce(page_data_set_type, area), volser, device, extent
ORDER BY page_rate DESC NULLS LAST, system, data_set, device
