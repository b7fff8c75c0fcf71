{#
The queue of random arrivals at COUNT servers with BUSY in use on average, times the part that is free (M/M/c,
Sakasegawa).
#}
{% macro power_of_random(busy, count) -%}
pow({{ busy }} / {{ count }}, sqrt(2 * ({{ count }} + 1)))
{%- endmacro %}
