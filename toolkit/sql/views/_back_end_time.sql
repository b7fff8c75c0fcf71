-- stored: no
-- title: Mean time of a read from the disks of extent pools and of ranks
-- grain: one row per interval_start, box, extent_pool, rank
-- columns: interval_start
-- column interval_s DOUBLE [s]: Seconds the statistics cover
-- column box VARCHAR []: Box of the pool
-- column extent_pool VARCHAR []: Extent pool id, 4 hex digits
-- column rank VARCHAR []: Rank id, or '' for all ranks of the pool
-- columns: read_rate, read_ms, utc_offset_s
{% for relation, rank in [("extent_pool_interval", "''"), ("rank_interval", "rank")] -%}
SELECT interval_start, interval_s, box, extent_pool, {{ rank }} AS rank, read_rate, read_ms, utc_offset_s
FROM {{ relation }}
WHERE read_ms IS NOT NULL
{{ "UNION ALL" if not loop.last }}
{% endfor %}
