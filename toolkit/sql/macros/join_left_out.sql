{#
The join of rows that records give, which begin at START and are LENGTH seconds long, with left_out as x. WHERE x.subject IS NULL
leaves those that count.
#}
{% macro join_left_out(platform, report, owner, subject, start, length, is_listing="FALSE") -%}
LEFT JOIN left_out x
    ON x.platform = {{ platform }}
    AND x.report = {{ report }}
    AND x.owner = {{ owner }}
    AND x.subject = {{ subject }}
    AND x.interval_start = {{ start }}
    AND x.interval_s = {{ length }}
    AND x.is_listing = {{ is_listing }}
{%- endmacro %}
