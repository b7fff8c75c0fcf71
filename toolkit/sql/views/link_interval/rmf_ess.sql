-- source: rmf.ess
-- formula link: SAID of the adapter, SIID of a synchronous link (medium)
-- formula link_type: ADAPTER TYPE; constant synchronous for synchronous links, whose report has no type (medium)
-- formula operation: LINK TYPE: ECKD READ and WRITE are the host's, PPRC SEND and RECEIVE remote copy (medium)
-- formula operation_rate: OPERATIONS/SEC; synchronous: OPS/SEC (medium)
-- formula bytes_rate: BYTES/SEC; synchronous: BYTES/OP * OPS/SEC (medium)
-- formula response_ms: RESP TIME/OPERATION; synchronous: RTIME/OP, taken for milliseconds; NULL without operations (medium)
-- formula in_progress: I/O INTENSITY / 1000; synchronous: operation_rate * response_ms / 1000 (medium)
-- formula success_ratio: % SUCC / 100 (medium)
-- note: Ignored where 74.8 records (of any system) or shorter intervals of a listing hold the same time, see left_out.
-- note: No printed page of this report was available for its headings. An unread_column issue names a different wording.
WITH recorded AS (
    SELECT
        system, serial, interval_start, utc_offset_s, interval_s, file_id, line,
        adapter AS link,
        adapter_type AS link_type,
        CASE link_type
            WHEN 'ECKD READ' THEN 'host read'
            WHEN 'ECKD WRITE' THEN 'host write'
            WHEN 'PPRC SEND' THEN 'copy send'
            WHEN 'PPRC RECEIVE' THEN 'copy receive'
            ELSE lower(link_type)
        END AS operation,
        operation_rate, bytes_rate, resp_ms,
        intensity / 1000 AS in_progress,
        CAST(NULL AS DOUBLE) AS success_pct
    FROM rmf_ess_link
    WHERE operation_rate > 0
    {%- for operation, name in [
        ("synchronous read", "cache_read"), ("synchronous write", "cache_write"), ("synchronous NVS write", "nvs_write")
    ] %}
    UNION ALL
    SELECT
        system, serial, interval_start, utc_offset_s, interval_s, file_id, line, link, 'synchronous', '{{ operation }}',
        {{ name }}_rate, {{ name }}_rate * {{ name }}_bytes_per_operation, {{ name }}_resp_ms,
        {{ name }}_rate * {{ name }}_resp_ms / 1000, {{ name }}_success_pct
    FROM rmf_ess_sync_link
    WHERE {{ name }}_rate > 0
    {%- endfor %}
)
{% set box = "trim(LEADING '0' FROM i.serial)" -%}
{% call printed("recorded", "'z/OS'", "'box'", box, "i.link, i.operation", owner=box, order="i.system") %}
    trim(LEADING '0' FROM serial) AS box,
    link, link_type, operation, operation_rate, bytes_rate,
    resp_ms AS response_ms,
    in_progress,
    success_pct / 100 AS success_ratio
{% endcall %}
