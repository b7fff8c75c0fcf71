{#
The subjects of records, from start_us to end_us, of those whose listings RELATION has (platform, report, owner). More than a
week at once is taken for damage.
#}
{% macro records_of_owners(relation) -%}
SELECT
    r.platform, r.report, r.owner, r.subject,
    unix_micros(r.interval_start) AS start_us,
    unix_micros(r.interval_start) + CAST(least(r.interval_s, 604800) * 1000000 AS BIGINT) AS end_us
FROM record_sample r
JOIN (SELECT DISTINCT platform, report, owner FROM {{ relation }}) p
    ON p.platform = r.platform AND p.report = r.report AND p.owner = r.owner
{%- endmacro %}
