-- reach: a day
-- stored: no
-- title: Every row of a listing: its interval as printed, and what it is about
-- grain: one row per row of a report
-- columns: platform, report, owner, system
-- column interval_start TIMESTAMP []: Start of the interval as printed
-- column utc_offset_s INTEGER [s]: Local time minus UTC, where the report says it
-- columns: interval_s, subject, leader
{% set zos_device = "right('0' || device, 5)" -%}
{% set zvm_device = "lpad(addr, 5, '0')" -%}
{% set base = "CASE WHEN type LIKE '->%' THEN lpad(trim(substr(type, 3)), 5, '0') END" -%}
{% set box = "trim(LEADING '0' FROM serial)" -%}
{% set nothing = "CAST(NULL AS STRING)" -%}
{% for platform, report, rows, owner, subject, leader in [
    ("z/OS", "device", "rmf_dasd_device", "system", zos_device, nothing),
    ("z/OS", "device", "rmf_sync_device WHERE device IS NOT NULL", "system", zos_device, nothing),
    ("z/OS", "channel", "rmf_channel", "system", "right(path, 2)", nothing),
    ("z/OS", "queue", "rmf_ioq_lcu", "system", "CASE WHEN scope = 'LCU' THEN lcu ELSE system END", nothing),
    ("z/OS", "queue", "rmf_ioq_iop", "system", "system", nothing),
    ("z/OS", "cache", "rmf_cache_device", "subsystem", "coalesce(" ~ zos_device ~ ", subsystem)", nothing),
    ("z/OS", "cache", "rmf_cache_status", "subsystem", "subsystem", nothing),
    ("z/OS", "box", "rmf_ess_link", box, box, nothing),
    ("z/OS", "box", "rmf_ess_sync_link", box, box, nothing),
    ("z/OS", "box", "rmf_ess_extent_pool", box, box, nothing),
    ("z/OS", "box", "rmf_ess_rank", box, box, nothing),
    ("z/VM", "device", "fcx168", "system", zvm_device, base),
    ("z/VM", "device", "fcx108", "system", zvm_device, base),
    ("z/VM", "channel", "fcx215", "system", "chpid", nothing),
    ("z/VM", "channel", "fcx161", "system", "chpid", nothing),
    ("z/VM", "cache", "fcx111", "system", "system", nothing),
    ("z/VM", "cache", "fcx176", "system", "system", nothing),
    ("z/VM", "cache", "fcx177", "system", "system", nothing),
    ("z/VM", "cache", "fcx110_cache", "system", "system", nothing),
    ("z/VM", "detail", "fcx110", "system", zvm_device, nothing),
    ("z/VM", "paging", "fcx109", "system", zvm_device, nothing),
] -%}
SELECT
    '{{ platform }}' AS platform, '{{ report }}' AS report, {{ owner }} AS owner, system, interval_start, utc_offset_s,
    interval_s, {{ subject }} AS subject, {{ leader }} AS leader
FROM {{ rows }}
{{ "UNION ALL" if not loop.last }}
{% endfor %}
