{#
Within `varied AS (...)`: only these can have been measured with other numbers than they have now.
#}
{% macro volumes_with_trials() -%}
SELECT platform, system, volume
FROM box_volume_interval
GROUP BY platform, system, volume
HAVING min(round(exposures)) < max(round(exposures))
{%- endmacro %}
