-- source: rmf.ioq
-- formula alias_high_water: HPAV MAX; NULL with SuperPAV, where the printed number holds borrowed aliases too (medium)
-- formula alias_denied_ratio: HPAV WAIT: refusals per I/O, not a share (high)
-- formula alias_group: LCU/AMG heading of the control unit's rows (medium)
-- formula is_superpav: the LCU names an alias management group (medium)
-- note: Ignored where records of the system (78.3) or shorter intervals of a listing hold the same time, see left_out.
-- note: The report prints no counts of HyperPAV requests; those columns are NULL.
{% call printed("rmf_ioq_lcu", "'z/OS'", "'queue'", "i.lcu", "i.lcu",
    where="i.scope = 'LCU' AND i.path = '*' AND i.lcu IS NOT NULL
        AND (i.hpav_max IS NOT NULL OR i.hpav_wait_ratio IS NOT NULL)") %}
    lcu,
    CASE WHEN amg IS NULL THEN CAST(hpav_max AS BIGINT) END AS alias_high_water,
    hpav_wait_ratio AS alias_denied_ratio,
    amg AS alias_group,
    amg IS NOT NULL AS is_superpav
{% endcall %}
