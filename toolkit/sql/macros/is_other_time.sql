{#
True if a moment of local time is outside of $start_us to $end_us, on no day if it comes back (`is_daily`).
#}
{% macro is_other_time(at_us, is_daily="$is_daily") -%}
CASE
    WHEN {{ is_daily }}
        THEN {{ at_us }} - $start_us - 8.64e10 * floor(({{ at_us }} - $start_us) / 8.64e10) >= $end_us - $start_us
    ELSE {{ at_us }} NOT BETWEEN $start_us AND $end_us
END
{%- endmacro %}
