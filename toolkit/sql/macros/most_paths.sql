{#
The most channel paths online to the device of a row of volume_interval at any time. A volume that moves may have fewer after it.
#}
{% macro most_paths(v) -%}
max({{ v }}.paths) OVER (PARTITION BY {{ v }}.platform, {{ v }}.system, {{ v }}.volume, {{ v }}.device)
{%- endmacro %}
