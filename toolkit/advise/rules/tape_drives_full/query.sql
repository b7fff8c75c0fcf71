-- title: Systems with nearly all tape drives of a type allocated, and how many of these wait for a mount
-- grain: one row per platform, system, device_type
-- column mounting DOUBLE []: Drives with a mount pending, mean of the bad intervals
-- column mounts BIGINT []: Mounts in the bad intervals
-- column pending_s DOUBLE [s]: Time that mounts were pending then, summed over drives
-- column pending_worst DOUBLE []: Drives with a mount pending, most in an interval
-- column free_later DOUBLE []: Drives that were free in the quietest interval, mean of it
WITH {{ tape_drives("allocated_ratio") }},
bad AS (
    SELECT *, allocated * interval_s AS lost FROM kept WHERE allocated >= $allocated_ratio * drives AND drives > 1
),
quiet AS (
    SELECT platform, system, device_type, max(drives - allocated) AS free_later
    FROM kept
    GROUP BY platform, system, device_type
),
{% call incident("bad", "platform, system, device_type", also=["quiet"]) %}
    max(drives) AS drives,
    max(allocated / drives) AS allocated_ratio,
    sum(mounting * interval_s) / sum(interval_s) AS mounting,
    CAST(sum(mounts) AS BIGINT) AS mounts,
    sum(mounting * interval_s) AS pending_s,
    max(mounting) AS pending_worst
{% endcall %}
ORDER BY a.platform, a.system, a.device_type
