-- name: issues
-- title: What reading the input met
-- about: Nothing is dropped silently: every record that could not be read, or only in part, is counted here.
-- missing: No issue was recorded: everything read was decoded or left out on purpose.
-- column severity: Severity
-- column code: Code
-- column files: Files
-- column met: Times met
-- column message: What it means
SELECT severity, code, count(DISTINCT file_id) AS files, CAST(sum("count") AS BIGINT) AS met, min(message) AS message
FROM lake_issues
GROUP BY severity, code
ORDER BY CASE severity WHEN 'error' THEN 0 WHEN 'data_loss' THEN 1 WHEN 'notice' THEN 2 ELSE 3 END, met DESC, code
