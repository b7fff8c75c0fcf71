{#
Whether a device of that type can have PAV aliases: fixed block devices can't, nor can those that CP emulates on SCSI
LUNs (EDEV, type 9336). A type of count key data can; of an unknown type it is taken that it can.
#}
{% macro takes_aliases(type) -%}
coalesce(left({{ type }}, 4) NOT IN ('0671', '3310', '3370', '9313') AND left({{ type }}, 3) <> '933' AND upper({{ type }}) <> 'FBA', TRUE)
{%- endmacro %}
