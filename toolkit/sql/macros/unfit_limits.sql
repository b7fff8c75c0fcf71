{#
Limits of measurements in doubt, within `limits AS (...)`: of unfit_interval, and of the days that it looks at.
#}
{% macro unfit_limits() -%}
-- as busy_ms and busy_share of reserve_contention, and its least rate
SELECT 0.5 AS held_ms, 0.2 AS held_share, 1.0 AS io_rate, 0.1 AS least_ms, 1.1 AS most, 0.1 AS printed_ms, 0.05 AS whole,
    -- as used_ratio of channel_busy
    0.7 AS full_ratio,
    -- pend with such a share of the service, and that far above the volumes around, is not usual
    0.8 AS always_share, 5.0 AS always_factor,
    -- samples with a request waiting: printed in whole percent, they scatter
    0.1 AS idle_ratio, 2.0 AS idle_factor,
    -- of z/VM: requests queued over those in progress, and one at least; no burst of guests is that large
    50.0 AS idle_queue
{%- endmacro %}
