{#
Among the columns of a SELECT from rows with the counts of cache_interval: the ratios made of them.
#}
{% macro cache_ratios_of_counts() -%}
read_count / nullif(read_count + write_count, 0) AS read_ratio,
read_hit_count / nullif(read_count, 0) AS read_hit_ratio,
write_hit_count / nullif(write_count, 0) AS write_hit_ratio,
(read_hit_count + write_hit_count) / nullif(io_count, 0) AS hit_ratio,
sequential_count / nullif(read_count + write_count, 0) AS sequential_ratio,
fast_write_count / nullif(write_count, 0) AS fast_write_ratio,
nvs_delay_count / nullif(write_count, 0) AS nvs_delay_ratio
{%- endmacro %}
