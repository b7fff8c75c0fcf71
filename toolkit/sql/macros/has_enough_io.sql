{#
What is too rare for a mean that holds is left out, but not what waits long: a wait counts by its length times its
rate. Half an I/O that stands at all times, as deep_ios, is enough at any rate.
#}
{% macro has_enough_io(rate, least, ms) -%}
({{ rate }} >= {{ least }} OR {{ rate }} * {{ ms }} >= 500)
{%- endmacro %}
