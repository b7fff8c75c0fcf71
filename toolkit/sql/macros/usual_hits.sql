{#
What each read from cache at comparable rates, see usual_at_rates. Among common table expressions: gives usual, one row per key of
RELATION, which has reads and hits: usual_ratio, NULL if most of the reads in bad intervals have no comparable ones, and
comparable_before, the fewest such intervals.
#}
{% macro usual_hits(relation, keys, rate) -%}
{% call usual_at_rates(relation, keys, rate) %}
        sum(hits) / nullif(sum(reads), 0) AS usual_ratio
{% endcall %},
usual AS (
    SELECT
        {{ keys }},
        CASE
            WHEN 2 * sum(CASE WHEN usual_ratio IS NOT NULL THEN reads ELSE 0 END) >= sum(reads)
                THEN {{ mean_of("usual_ratio", "reads") }}
        END AS usual_ratio,
        min(comparable_before) AS comparable_before
    FROM timed
    LEFT JOIN well USING ({{ keys }}, slot)
    WHERE is_bad
    GROUP BY {{ keys }}
)
{%- endmacro %}
