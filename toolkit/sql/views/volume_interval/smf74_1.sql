-- feeds: volume_interval
WITH timed AS (
    SELECT
        v.*,
        {{ counted_means() }}
    FROM _volume_smf74_1 v
),
served AS (
    SELECT
        t.*,
        {{ counted_results() }}
    FROM timed t
)
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    CASE
        WHEN io_rate > 0
            THEN (io_rate * (wait_ms + service_ms) + {{ sync_ms_rate() }}) / total_io_rate
        ELSE {{ sync_ms_rate() }} / nullif(total_io_rate, 0)
    END AS total_response_ms,
    CAST(1 AS BIGINT) AS addresses,
    'smf74.1' AS source
FROM served
