{#
The class of a device by its type in a z/VM source, with or without a model behind it: NULL without a type, other
where the type is in no class.
#}
{% macro device_class_of(type) -%}
CASE
    WHEN trim(coalesce({{ type }}, '')) IN ('', '0000') THEN NULL
    WHEN {{ type }} LIKE '24%' OR {{ type }} LIKE '34%' OR {{ type }} LIKE '359%' OR {{ type }} LIKE '934%' AND {{ type }} NOT LIKE '9345%'
        OR upper({{ type }}) LIKE 'TAPE%' THEN 'tape'
    WHEN {{ type }} LIKE '33%' OR {{ type }} LIKE '93%' OR {{ type }} LIKE '2305%' OR {{ type }} LIKE '0671%'
        OR upper({{ type }}) IN ('DASD', 'ECKD', 'FBA') THEN 'dasd'
    WHEN {{ type }} LIKE '173%' OR {{ type }} LIKE '3088%' OR {{ type }} LIKE '3172%' OR {{ type }} LIKE '37%'
        OR upper({{ type }}) LIKE 'OSA%' OR upper({{ type }}) LIKE 'CTC%' OR upper({{ type }}) LIKE 'FCP%' THEN 'communication'
    WHEN {{ type }} LIKE '327%' THEN 'graphics'
    WHEN {{ type }} LIKE '1403%' OR {{ type }} LIKE '2540%' OR {{ type }} LIKE '3203%' OR {{ type }} LIKE '3211%'
        OR {{ type }} LIKE '3505%' OR {{ type }} LIKE '3525%' OR {{ type }} LIKE '3800%' OR {{ type }} LIKE '4245%'
        OR {{ type }} LIKE '4248%' OR upper({{ type }}) IN ('RDR', 'PUN', 'PRT') THEN 'unit_record'
    ELSE 'other'
END
{%- endmacro %}
