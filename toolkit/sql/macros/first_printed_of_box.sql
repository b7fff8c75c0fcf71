{#
As `first printed`, of a report on boxes: of several systems that print a box the first by name counts.
#}
{% macro first_printed_of_box(relation, keys) -%}
{%- set box = "trim(LEADING '0' FROM i.serial)" -%}
{{ first_printed(relation, "'z/OS'", "'box'", box, keys, box, "i.system") }}
{%- endmacro %}
