{#
What stands for the LCU of a volume where none is recorded (z/VM without its pools or SSIDs): its device number without the last
two digits, as an LCU has up to 256 addresses, and device numbers are usually given LCU by LCU. NULL where the LCU is known.
#}
{% macro address_range(v) -%}
CASE WHEN {{ v }}.lcu IS NULL THEN substr({{ v }}.device, 1, length({{ v }}.device) - 2) END
{%- endmacro %}
