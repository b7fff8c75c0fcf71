{#
Among the columns of a SELECT from rows with these means.
#}
{% macro counted_results() -%}
pend_ms + disc_ms + conn_ms AS service_ms,
CASE WHEN wait_ms IS NULL THEN NULL WHEN ios_queue_us IS NOT NULL THEN 'measured' ELSE 'sampled' END AS wait_source,
_sync_requests / nullif(interval_s, 0) AS sync_request_rate,
(sync_reads + sync_writes) / nullif(_sync_requests, 0) AS sync_success_ratio,
sync_link_busy / nullif(_sync_requests, 0) AS sync_link_busy_ratio,
sync_missed / nullif(_sync_requests, 0) AS sync_miss_ratio,
sync_read_rejected / nullif(_sync_requests, 0) AS sync_read_reject_ratio,
sync_write_rejected / nullif(_sync_requests, 0) AS sync_write_reject_ratio
{%- endmacro %}
