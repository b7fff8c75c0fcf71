{#
Means per I/O and the worst interval of a unit whose rows, one per interval, have t, interval_s, ios and the summed response, wait,
pend, disc and conn.
#}
{% macro over_all_intervals() -%}
sum(ios) / nullif(sum(interval_s), 0) AS io_rate,
sum(response) / nullif(sum(ios), 0) AS response_ms, sum(wait) / nullif(sum(ios), 0) AS wait_ms,
sum(pend) / nullif(sum(ios), 0) AS pend_ms, sum(disc) / nullif(sum(ios), 0) AS disc_ms,
sum(conn) / nullif(sum(ios), 0) AS conn_ms,
sum(response - conn) * {{ hours_a_day() }} AS lost_h,
max_by(t, peak_order(response - conn, t)) AS peak,
max_by(response / nullif(ios, 0), peak_order(response - conn, t)) AS peak_response_ms,
max_by(wait / nullif(ios, 0), peak_order(response - conn, t)) AS peak_wait_ms,
max_by(ios / interval_s, peak_order(response - conn, t)) AS peak_rate
{%- endmacro %}
