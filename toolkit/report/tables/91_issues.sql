-- title: What reading the input met
-- about: Nothing is dropped silently: every record that could not be read, or only in part, is counted here, and every value that no machine measures (view impossible_value names record or line).
-- missing: No issue was recorded: everything read was decoded or left out on purpose.
-- zvm: same
-- column severity: Severity
-- column code: Code
-- column files: Files
-- column met: Times met
-- column message: What it means
WITH met AS (
    SELECT severity, code, file_id, "count", message FROM lake_issues
    UNION ALL
    SELECT
        'left out', 'outside_range', file_id, 1,
        'values of ' || view_name || '.' || column_name || ' outside ' || printf('%g', least) || ' to ' || printf('%g', most) || ': left out'
    FROM impossible_value
)
SELECT severity, code, count(DISTINCT file_id) AS files, CAST(sum("count") AS BIGINT) AS met, min(message) AS message
FROM met
GROUP BY severity, code, CASE WHEN code = 'outside_range' THEN message END
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'data_loss' THEN 1 WHEN 'left out' THEN 1 WHEN 'notice' THEN 2 ELSE 3 END, met DESC, code, message
