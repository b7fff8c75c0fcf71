-- source: rmf.ioq
-- formula iop: IOP, 0 put in front of one digit (medium)
-- formula queue_rate: INITIATIVE QUEUE ACTIVITY RATE (high)
-- formula queue_length: INITIATIVE QUEUE AVG Q LNGTH (high)
-- formula busy_ratio: % IOP BUSY / 100 (high)
-- formula compression_busy_ratio: % CMPR BUSY / 100 (high)
-- formula scm_busy_ratio: % SCM BUSY / 100 (high)
-- formula start_rate: I/O START RATE (high)
-- formula interrupt_rate: INTERRUPT RATE (high)
-- formula retried_ratio: % I/O REQUESTS RETRIED, ALL / 100 (high)
-- formula retried_path_ratio: % I/O REQUESTS RETRIED, CP BUSY / 100 (high)
-- formula retried_director_ratio: % I/O REQUESTS RETRIED, DP BUSY / 100 (high)
-- formula retried_cu_ratio: % I/O REQUESTS RETRIED, CU BUSY / 100 (high)
-- formula retried_device_ratio: % I/O REQUESTS RETRIED, DV BUSY / 100 (high)
-- formula retries_per_start: RETRIES / SSCH, ALL (high)
-- note: Ignored where records of the system (78.3) or shorter intervals of a listing hold the same time, see left_out. The line of all processors (SYS) is left out.
{% call printed("rmf_ioq_iop", "'z/OS'", "'queue'", "i.system", "i.iop",
    where="i.iop IS NOT NULL AND upper(i.iop) NOT LIKE 'SYS%'") %}
    lpad(iop, 2, '0') AS iop,
    queue_activity_rate AS queue_rate,
    queue_length,
    busy_pct / 100 AS busy_ratio,
    compress_busy_pct / 100 AS compression_busy_ratio,
    scm_busy_pct / 100 AS scm_busy_ratio,
    start_rate, interrupt_rate,
    retried_all_pct / 100 AS retried_ratio,
    retried_cp_pct / 100 AS retried_path_ratio,
    retried_dp_pct / 100 AS retried_director_ratio,
    retried_cu_pct / 100 AS retried_cu_ratio,
    retried_dv_pct / 100 AS retried_device_ratio,
    retries_all AS retries_per_start
{% endcall %}
