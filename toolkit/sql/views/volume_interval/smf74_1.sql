-- stored: no
WITH {{ counted_means("_volume_smf74_1", "timed_count") }}
SELECT
    *,
    wait_ms + service_ms AS response_ms,
    io_rate * service_ms / 1000 AS in_service,
    io_rate * wait_ms / 1000 AS queue_length,
    {{ total_response() }} AS total_response_ms,
    CAST(1 AS BIGINT) AS addresses,
    'smf74.1' AS source
FROM served
