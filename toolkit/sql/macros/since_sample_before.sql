{#
Columns of monitor samples with the window w. The offset from UTC is the one in force when the interval began. No length
where files are missing between the two samples: more than three times as long as the intervals around, or than a day.
Both limits are our choice. The gap is in data_quality (missing_intervals, longest_gap_s).
#}
{% macro since_sample_before() -%}
owner AS system,
lag(MRHDRTOD) OVER w AS interval_start,
CASE
    WHEN tod_us - (lag(tod_us) OVER w) <= least(
        86400000000,
        coalesce(
            3 * greatest((lag(tod_us) OVER w) - (lag(tod_us, 2) OVER w), (lead(tod_us) OVER w) - tod_us),
            86400000000
        )
    ) THEN (tod_us - (lag(tod_us) OVER w)) / 1e6
END AS interval_s,
lag(zone_s) OVER w AS utc_offset_s
{%- endmacro %}
