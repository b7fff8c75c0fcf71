-- title: Channel paths of z/VM volumes, as configuration records state them last
-- grain: one row per platform, system, volume
-- columns: platform, system, volume
-- column channels VARCHAR []: Channel paths to its base device, separated by | = RDEVCHPS where RDEVLPM has a bit, of D1R6, D6R1 and D6R20 (medium); CHPIDs of FCX131 (low)
-- note: A path that was lost or added in the span is stated as it was last.
WITH stated AS (
    SELECT system, interval_start AS stated_at, replace(chpids, ' ', '|') AS channels,
        lpad(split_part(replace(device, '>', ''), '-', 1), 5, '0') AS first_device,
        lpad(right(replace(device, '>', ''), length(split_part(replace(device, '>', ''), '-', 1))), 5, '0') AS last_device
    FROM fcx131
    {% for record, block in [("mon_d1r6", "MTRDEV"), ("mon_d6r1", "IODVON"), ("mon_d6r20", "IODSTC")] %}
    UNION ALL
    SELECT owner, MRHDRTOD,
        substr(
            {% for slot in range(8) -%}
            {{ "|| " if slot }}CASE WHEN floor({{ block }}_RDEVLPM / {{ 128 // 2 ** slot }}) % 2 = 1 THEN '|' || substr({{ block }}_RDEVCHPS, {{ 2 * slot + 1 }}, 2) ELSE '' END
            {% endfor -%}
        , 2),
        '0' || {{ block }}_RDEVDEV, '0' || {{ block }}_RDEVDEV
    FROM {{ monitor_records(record) }} AS {{ record }}_devices
    {% endfor %}
)
SELECT 'z/VM' AS platform, v.system, v.volume, max_by(s.channels, name_order(unix_micros(s.stated_at), s.channels)) AS channels
FROM (SELECT DISTINCT system, volume, device FROM _volume_hour WHERE platform = 'z/VM') v
JOIN stated s ON s.system = v.system AND v.device BETWEEN s.first_device AND s.last_device
WHERE s.channels <> ''
GROUP BY v.system, v.volume
