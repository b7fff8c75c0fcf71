{#
Whether requesters that wait for each answer keep COUNT exposures or aliases busy: BUSY of them are in use, on average, and
the queue is shorter than random arrivals would make it (M/M/c, Sakasegawa). The question has the parameters
$queue_length, $busy and $evenness.
#}
{% macro is_closed(busy, queue, count) -%}
{{ queue }} >= $queue_length AND {{ busy }} >= $busy * {{ count }}
    AND (
        {{ busy }} >= {{ count }}
        OR {{ queue }} * (1 - {{ busy }} / {{ count }}) < $evenness * {{ power_of_random(busy, count) }}
    )
{%- endmacro %}
