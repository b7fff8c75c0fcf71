-- title: Sysplexes of systems, as SMF records name them
-- grain: one row per system
-- column sysplex VARCHAR []: Name of the sysplex
SELECT system, max(trim(SMF74XNM)) AS sysplex
FROM smf74_1_record
WHERE trim(SMF74XNM) <> ''
GROUP BY system
