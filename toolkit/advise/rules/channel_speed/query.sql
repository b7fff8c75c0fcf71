-- title: Channels whose link ran faster before
-- grain: one row per platform, system, channel_path
-- column speed_bits_rate DOUBLE [bits per second]: The lowest
-- column before_bits DOUBLE [bits per second]: The highest before
-- column seen_end TIMESTAMP [local time]: End of the last interval of the channel
-- column reached VARCHAR []: LCUs that it leads to, separated by |; NULL where none is recorded
WITH timed AS (
    SELECT
        platform, system, channel_path, local_start, local_end, interval_s AS lost, speed_bits_rate,
        max(speed_bits_rate) OVER (PARTITION BY platform, system, channel_path ORDER BY interval_start) AS before_bits,
        max(local_end) OVER (PARTITION BY platform, system, channel_path) AS seen_end
    FROM channel_interval
    WHERE speed_bits_rate > 0
),
bad AS (
    SELECT * FROM timed WHERE speed_bits_rate < before_bits
),
reached AS (
    SELECT
        platform, system, channel_path, array_join(array_sort(array_distinct(collect_list(lcu))), '|') AS reached
    FROM lcu_path_interval
    WHERE online
    GROUP BY platform, system, channel_path
),
{% call incident("bad", "platform, system, channel_path", also=["reached"]) %}
    min(speed_bits_rate) AS speed_bits_rate, max(before_bits) AS before_bits, max(seen_end) AS seen_end
{% endcall %}
ORDER BY a.platform, a.system, a.channel_path
