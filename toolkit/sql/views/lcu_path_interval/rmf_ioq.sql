-- source: rmf.ioq
-- formula lcu: LCU of the path's row (high)
-- formula channel_path: CHAN PATHS (high)
-- formula online: Status of the XML; listing: false where PATH OFFLINE stands in place of numbers (medium)
-- formula taken_rate: CHPID TAKEN (high)
-- formula cmr_ms: AVG CMR DLY (high)
-- formula preference: PF or NP behind the path: preferred, non-preferred (medium)
-- note: Ignored where records of the system (78.3) or shorter intervals of a listing hold the same time, see left_out.
{% call printed("rmf_ioq_lcu", "'z/OS'", "'queue'", "i.lcu", "i.lcu, i.path",
    where="i.scope = 'LCU' AND i.path <> '*' AND i.lcu IS NOT NULL") %}
    lcu,
    path AS channel_path,
    CASE
        WHEN upper(status) LIKE '%OFFLINE%' THEN FALSE
        WHEN taken_rate IS NOT NULL OR upper(status) = 'ONLINE' THEN TRUE
    END AS online,
    taken_rate, cmr_ms,
    dp_busy_pct / 100 AS director_port_busy_ratio,
    cu_busy_pct / 100 AS cu_busy_ratio,
    cub_ms AS cu_busy_delay_ms,
    CASE path_attribute WHEN 'PF' THEN 'preferred' WHEN 'NP' THEN 'non-preferred' END AS preference
{% endcall %}
