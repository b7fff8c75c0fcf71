{#
The rows of a monitor record with OWNER, the system that wrote them: that of the D1R4 before them in the file, else the
one system that the D1R4 records of the lake name; NULL where they name several. A relation, for FROM.
#}
{% macro monitor_records(table) -%}
(
    SELECT
        r.*,
        coalesce(r.system, (SELECT CASE WHEN count(DISTINCT d.system) = 1 THEN max(d.system) END FROM mon_d1r4 d)) AS owner
    FROM {{ table }} r
)
{%- endmacro %}
