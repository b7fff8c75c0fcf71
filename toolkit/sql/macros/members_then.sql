{#
Among common table expressions: member, the volumes of boxes during intervals of RELATION (see volumes_at), with what is known
of their way and their box then.
#}
{% macro members_then(relation) -%}
volume_then AS ({{ volumes_at(relation) }}),
headroom_then AS ({{ rows_at("volume_headroom", "volume_then") }}),
member AS (
    SELECT
        s.box, s.interval_start, s.interval_s, s.serial, s.control_unit_type, s.platform, s.system, s.volume, s.lcu,
        s.io_rate, s.wait_ms, s.service_ms, u.held_ms, s.in_service, s.queue_length, s.exposures, s.is_hyperpav,
        s.read_ratio AS own_read_ratio,
        a.cmr_ms, y.above_ms AS way_above_ms, a.start_delay_ms, a.disc_ms, a.miss_ms, a.copy_ms, a.back_end_ms,
        a.back_end_best_ms, a.channel_used_ratio,
        i.in_service AS in_box, i.volumes, i.read_ratio
    FROM volume_then s
    LEFT JOIN headroom_then a ON {{ equal("platform, system, volume, interval_start", "a", "s") }}
    LEFT JOIN box_interval i ON i.box = s.box AND i.interval_start = s.box_interval_start
    LEFT JOIN way_interval y ON {{ equal("platform, system, lcu, interval_start", "y", "s") }}
    LEFT JOIN unfit_interval u ON {{ equal("platform, system, volume, interval_start", "u", "s") }}
)
{%- endmacro %}
