-- source: rmf.ioq
-- formula css_delay_ms: AVG CSS DLY (high)
-- formula delay_queue_length: DELAY Q LNGTH (high)
-- formula contention_rate: CONTENTION RATE (high)
-- formula open_exchanges: AVG OPEN EXCH (high)
-- formula transfer_concurrency: DATA XFER CONC (high)
-- formula path_taken_rate: CHPID TAKEN (high)
-- note: Ignored where records of the system (78.3) or shorter intervals of a listing hold the same time, see left_out.
{% call printed("rmf_ioq_lcu", "'z/OS'", "'queue'", "i.lcu", "i.lcu",
    where="i.scope = 'LCU' AND i.path = '*' AND i.lcu IS NOT NULL
        AND coalesce(i.taken_rate, i.contention_rate, i.css_ms, i.open_exchanges) IS NOT NULL") %}
    lcu,
    css_ms AS css_delay_ms,
    queue_length AS delay_queue_length,
    contention_rate, open_exchanges, transfer_concurrency,
    taken_rate AS path_taken_rate,
    dp_busy_pct / 100 AS director_port_busy_ratio,
    cu_busy_pct / 100 AS cu_busy_ratio,
    cub_ms AS cu_busy_delay_ms
{% endcall %}
