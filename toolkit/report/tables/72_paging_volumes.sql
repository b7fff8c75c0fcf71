-- title: Paging volumes
-- about: Page data sets (type 75) and paging areas of CP (FCX109) over the whole span. The space in use of a PLPA data set is filled once and says nothing.
-- missing: The lake has no page data sets (type 75).
-- zvm: The lake has no paging areas: ingest DEVICE CPOWNED (FCX109).
-- column data_set: Page data set
-- columns: type, system, volume, device
-- column used_percent .1: In use %, mean
-- column used_peak_percent .1: In use %, maximum
-- column peak: Maximum, local time
-- column page_rate .1: Pages per s
-- column io_rate .2: I/Os per s
-- column in_use_percent .1: Busy with paging %
{% set used = "coalesce(most_used_ratio, used_ratio)" -%}
SELECT data_set, coalesce(page_data_set_type, area) AS type, system, volser AS volume, device,
       100 * {{ mean_of("used_ratio", "interval_s") }} AS used_percent,
       100 * max({{ used }}) AS used_peak_percent, max_by(local_start, peak_order({{ used }}, local_start)) AS peak,
       {{ mean_of("total_page_rate", "interval_s") }} AS page_rate, {{ mean_of("io_rate", "interval_s") }} AS io_rate,
       100 * {{ mean_of("in_use_ratio", "interval_s") }} AS in_use_percent
FROM paging_volume_interval
WHERE interval_s > 0
GROUP BY platform, system, data_set, coalesce(page_data_set_type, area), volser, device, extent
ORDER BY page_rate DESC NULLS LAST, system, data_set, device
