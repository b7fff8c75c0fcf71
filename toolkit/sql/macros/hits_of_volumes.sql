{#
Among the columns of a SELECT that groups rows of volume_interval, as v: what they read, how much of it hit, and what they took. What
goes over zHyperLink has hit.
#}
{% macro hits_of_volumes() -%}
max(v.local_end) AS local_end,
max(v.interval_s) AS interval_s,
sum(v.io_rate * v.interval_s) AS ios,
sum((v.io_rate * v.read_ratio + coalesce(v.sync_read_rate, 0)) * v.interval_s) AS reads,
sum((v.io_rate * v.read_ratio * v.read_hit_ratio + coalesce(v.sync_read_rate, 0)) * v.interval_s) AS hits,
sum(v.io_rate * v.interval_s * v.disc_ms) / 1000 AS disc_s,
sum(v.io_rate * v.interval_s * coalesce(v.service_ms, v.response_ms)) / 1000 AS service_s
{%- endmacro %}
