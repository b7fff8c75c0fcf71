{#
Control units count since their statistics were last read, which is at the end of an interval: where that is longer or
shorter ago than the interval by more than a tenth (less is the time that reading takes), the statistics begin earlier or
later than it. More than a day, which no gatherer takes, moves nothing.
#}
{% macro start_of_statistics(covered, length, start) -%}
CASE
    WHEN abs({{ covered }} - {{ length }}) > 0.1 * {{ length }} AND {{ covered }} <= 86400
        THEN CAST(timestamp_micros(CAST(unix_micros({{ start }}) + ({{ length }} - {{ covered }}) * 1000000 AS BIGINT)) AS TIMESTAMP)
    ELSE {{ start }}
END
{%- endmacro %}
