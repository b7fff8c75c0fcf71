{#
Whether a device of that type can have PAV aliases: fixed block devices can't, nor can those that CP emulates on SCSI
LUNs (EDEV, type 9336). A type of count key data can; of an unknown type it is taken that it can.
#}
{% macro takes_aliases(type) -%}
coalesce(
    {{ type }} NOT LIKE '0671%' AND {{ type }} NOT LIKE '3310%' AND {{ type }} NOT LIKE '3370%' AND {{ type }} NOT LIKE '9313%'
    AND {{ type }} NOT LIKE '933%' AND upper({{ type }}) <> 'FBA', TRUE
)
{%- endmacro %}
