{#
Volumes whose requests were answered without an I/O for the most part (by minidisk cache, or synchronously), and are I/Os since: `spared`
is the rate of those answered so. Among common table expressions: seen, `relation` with last_spared, the end of the last interval with at
least $saved of them; fallen, these volumes, with the rates since and before. `least` is the least rate of requests before. Parameters: $saved, $fallen, $minutes.
#}
{% macro spared_before(relation, spared, least) -%}
seen AS (
    SELECT
        *, max(CASE WHEN {{ spared }} > 0 AND {{ spared }} >= $saved * (io_rate + {{ spared }}) THEN local_end END)
        OVER (PARTITION BY platform, system, volume) AS last_spared
    FROM {{ relation }}
    WHERE {{ spared }} IS NOT NULL AND io_rate IS NOT NULL
),
part AS (
    SELECT
        platform, system, volume, last_spared, coalesce(local_start >= last_spared, FALSE) AS is_after,
        sum(interval_s) AS spent_s,
        sum(io_rate * interval_s) / sum(interval_s) AS io_rate,
        sum({{ spared }} * interval_s) / sum(interval_s) AS spared_rate
    FROM seen
    GROUP BY platform, system, volume, last_spared, coalesce(local_start >= last_spared, FALSE)
),
fallen AS (
    SELECT
        a.platform, a.system, a.volume, a.last_spared, a.io_rate, a.spared_rate,
        b.io_rate + b.spared_rate AS requests_before, b.spared_rate AS spared_before
    FROM part a
    JOIN part b ON {{ equal("platform, system, volume", "b", "a") }}
    WHERE a.is_after AND NOT b.is_after
        AND b.spared_rate >= $saved * (b.io_rate + b.spared_rate)
        AND a.spared_rate * (b.io_rate + b.spared_rate) <= $fallen * b.spared_rate * (a.io_rate + a.spared_rate)
        AND b.io_rate + b.spared_rate >= {{ least }}
        AND a.spent_s >= 60 * $minutes - 2
        -- half of what was spared is I/O since: else nothing was asked for
        AND a.io_rate >= b.io_rate + 0.5 * b.spared_rate
)
{%- endmacro %}
