{#
The samples of a monitor record, each moment once, whichever files they came in; lag(...) OVER w is the sample before of the
same subject and IPL. Samples of an unknown system are kept apart by file.
#}
{% macro monitor_samples(table, key) -%}
FROM (
    SELECT
        s.*,
        unix_micros(s.MRHDRTOD) AS tod_us,
        c.ipl, c.zone_s,
        CASE WHEN s.owner IS NULL THEN s.file_id END AS lone_file
    FROM (
        SELECT m.*, row_number() OVER (PARTITION BY owner, {{ key }}, MRHDRTOD ORDER BY file_id, record_offset) AS copy
        FROM {{ monitor_records(table) }} m
    ) s
    LEFT JOIN monitor_system c ON c.system = s.owner AND s.MRHDRTOD >= c.since AND s.MRHDRTOD < c.until
    WHERE s.copy = 1
) moment
WINDOW w AS (PARTITION BY owner, lone_file, ipl, {{ key }} ORDER BY MRHDRTOD)
{%- endmacro %}
