{#
What a millisecond lost in the rows summed up is a day, as findings have it: divided by the days of the span that was
read, if it is longer than one, also where nothing was done on some; what less than a day lost is not carried to 24 hours.
#}
{% macro hours_a_day() -%}
(1 / 3.6e6 / greatest((SELECT max(days) FROM measured_span), 1))
{%- endmacro %}
