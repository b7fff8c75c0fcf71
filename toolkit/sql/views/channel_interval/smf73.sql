-- source: smf73
-- formula interval_s: SMF73PTI * 0.001024, SMF73INT where it is 0 (high)
-- formula channel_path: SMF73CSS and a dot if SMF73SFL bit MCS, and SMF73PID (high)
-- formula type: SMF73ACR (high)
-- formula online: SMF73FG2 bit STA (high)
-- formula is_shared: SMF73FG3 bit SHR (high)
-- formula busy_ratio: CMG 1: SMF73TUT * 128 / (SMF73PTI * 1024); CMG 2: SMF73TUC / (SMF73MCU * seconds) if word 2 is valid; CMG 4 and 5: the same with prefix G4, G5; unshared paths without a total: the own partition's (medium)
-- formula partition_busy_ratio: CMG 1: SMF73PUT * 128 / (SMF73PTI * 1024); CMG 2, 4, 5: SMF73PUC / (SMF73MCU * seconds) if word 2 is valid; other groups: SMF73PBY / SMF73PTI (medium)
-- formula bus_busy_ratio: CMG 2, 4, 5: SMF73TBC / (SMF73MBC * seconds) if word 1 is valid (high)
-- formula read_bytes_rate: CMG 2, 4, 5: SMF73TRU * SMF73US / seconds if word 5 is valid (high)
-- formula write_bytes_rate: CMG 2, 4, 5: SMF73TWU * SMF73US / seconds if word 5 is valid; CMG 3: SMF73TDS * SMF73TDU / seconds if word 2 is valid (high)
-- formula partition_read_bytes_rate: CMG 2, 4, 5: SMF73PRU * SMF73US / seconds if word 5 is valid (high)
-- formula partition_write_bytes_rate: CMG 2, 4, 5: SMF73PWU * SMF73US / seconds if word 5 is valid; CMG 3: SMF73PDS * SMF73PDU / seconds if word 1 is valid (high)
-- formula operation_rate: (SMF73EOC + SMF73ETC) / seconds (medium)
-- formula ficon_operation_rate: SMF73EOC / seconds (medium)
-- formula zhpf_operation_rate: SMF73ETC / seconds (medium)
-- formula deferred_rate: (SMF73EOD + SMF73ETD) / seconds (medium)
-- formula open_exchanges: SMF73EOS / SMF73EOC + SMF73ETS / SMF73ETC, each 0 where nothing started (low)
-- formula speed_bits_rate: SMF73SPD * 10**POW; 100 Mb/s units if POW is 0 (SMF73MSC); NULL if 0 (medium)
-- formula measurement_group: SMF73CMG (high)
-- formula generation: SMF73GEN (high)
-- note: A channel measured twice in an interval, in two files that overlap, is one row, with the longest interval.
-- note: Seconds are SMF73PTI * 0.001024. Everything measured is NULL if SMF73FG2 bit VAC is on or bit STA off, or SMF73FG4 bit NVL is on.
-- note: Words are the characteristics words of SMF73FG5. The counts of CMG 4 and 5 lie where the order of CMG 2 puts them (medium).
-- note: If SMF73FG4 bit XCM is on, the extended section is the one that names the channel (SMF73ECP = SMF73PID). Only where the sections of a record name none (SMF73ECP is 00 in all of them) SMF73EIX selects it; it is taken to count from 1.
-- note: Groups 4 and 5 have another extended layout whose offsets are not known from any source: no operations for them.
WITH control AS (
    SELECT record_id, max(CASE WHEN SMF73SFL_MCS THEN SMF73CSS END) AS css
    FROM smf73_control
    GROUP BY record_id
),
extension AS (
    SELECT e.*, coalesce(max(nullif(SMF73ECP, '00')) OVER (PARTITION BY record_id), '') <> '' AS are_named
    FROM smf73_extended e
),
-- sections by what selects them: engines join by equal values, and compare each with each otherwise
selected AS (
    SELECT *, CASE WHEN are_named THEN SMF73ECP ELSE CAST(section_index AS STRING) END AS selector FROM extension
),
named AS (
    SELECT DISTINCT record_id, are_named FROM extension
),
path AS (
    SELECT
        p.*, c.css,
        row_number() OVER (
            PARTITION BY p.system, p.interval_start, c.css, p.SMF73PID ORDER BY p.interval_s DESC, p.record_id, p.section_index
        ) AS turn,
        nullif(p.SMF73PTI, 0) * 0.001024e0 AS seconds,
        coalesce(p.SMF73FG2_STA, FALSE) AND NOT coalesce(p.SMF73FG2_VAC OR p.SMF73FG4_NVL, FALSE) AS valid,
        {% for name, field in [
            ("max_bus", "MBC"), ("max_work", "MCU"), ("unit_bytes", "US"), ("bus", "TBC"), ("work", "TUC"),
            ("own_work", "PUC"), ("reads", "TRU"), ("own_reads", "PRU"), ("writes", "TWU"), ("own_writes", "PWU")
        ] -%}
        CASE SMF73CMG WHEN 2 THEN SMF73{{ field }} WHEN 4 THEN SMF73G4{{ field }} WHEN 5 THEN SMF73G5{{ field }} END
            AS {{ name }}{{ "," if not loop.last }}
        {% endfor %}
    FROM smf73_channel_data p
    LEFT JOIN control c ON c.record_id = p.record_id
    {{ join_section("p", "'channel'", "p.SMF73PID") }}
    WHERE x.subject IS NULL
),
measured AS (
    SELECT
        p.*,
        CASE
            WHEN SMF73CMG = 1 THEN SMF73TUT * 0.000128e0 / seconds
            WHEN SMF73FG5_W2 THEN work / (nullif(max_work, 0) * seconds)
        END AS total_busy,
        CASE
            WHEN SMF73CMG = 1 THEN SMF73PUT * 0.000128e0 / seconds
            WHEN SMF73CMG IN (2, 4, 5) THEN CASE WHEN SMF73FG5_W2 THEN own_work / (nullif(max_work, 0) * seconds) END
            ELSE SMF73PBY * 0.001024e0 / seconds
        END AS partition_busy_ratio,
        CASE WHEN SMF73FG5_W1 THEN bus / (nullif(max_bus, 0) * seconds) END AS bus_busy_ratio,
        CASE WHEN SMF73FG5_W5 THEN reads * unit_bytes / seconds END AS read_bytes_rate,
        CASE WHEN SMF73FG5_W5 THEN own_reads * unit_bytes / seconds END AS partition_read_bytes_rate,
        CASE
            WHEN SMF73CMG = 3 THEN CASE WHEN SMF73FG5_W2 THEN SMF73TDS * SMF73TDU / seconds END
            WHEN SMF73FG5_W5 THEN writes * unit_bytes / seconds
        END AS write_bytes_rate,
        CASE
            WHEN SMF73CMG = 3 THEN CASE WHEN SMF73FG5_W1 THEN SMF73PDS * SMF73PDU / seconds END
            WHEN SMF73FG5_W5 THEN own_writes * unit_bytes / seconds
        END AS partition_write_bytes_rate
    FROM path p
    WHERE turn = 1
)
SELECT
    m.system, m.interval_start,
    coalesce(m.seconds, m.interval_s) AS interval_s,
    coalesce(CAST(m.css AS STRING) || '.', '') || m.SMF73PID AS channel_path,
    nullif(m.SMF73ACR, '') AS type,
    m.SMF73FG2_STA AS online,
    m.SMF73FG3_SHR AS is_shared,
    CASE
        WHEN NOT m.valid THEN NULL
        WHEN m.total_busy IS NOT NULL OR coalesce(m.SMF73FG3_SHR, TRUE) THEN m.total_busy
        ELSE m.partition_busy_ratio
    END AS busy_ratio,
    {{ each("CASE WHEN m.valid THEN m.NAME END", "partition_busy_ratio bus_busy_ratio read_bytes_rate write_bytes_rate
        partition_read_bytes_rate partition_write_bytes_rate") }},
    CASE WHEN m.valid THEN (e.SMF73EOC + e.SMF73ETC) / m.seconds END AS operation_rate,
    CASE WHEN m.valid THEN e.SMF73EOC / m.seconds END AS ficon_operation_rate,
    CASE WHEN m.valid THEN e.SMF73ETC / m.seconds END AS zhpf_operation_rate,
    CASE WHEN m.valid THEN (e.SMF73EOD + e.SMF73ETD) / m.seconds END AS deferred_rate,
    CASE
        WHEN m.valid AND e.SMF73EOC + e.SMF73ETC > 0
            THEN CASE WHEN e.SMF73EOC = 0 THEN 0 ELSE e.SMF73EOS / e.SMF73EOC END
                + CASE WHEN e.SMF73ETC = 0 THEN 0 ELSE e.SMF73ETS / e.SMF73ETC END
    END AS open_exchanges,
    nullif(m.SMF73SPD, 0) * CASE WHEN m.SMF73MSC_POW = 0 THEN 1e8 ELSE power(10, m.SMF73MSC_POW) END AS speed_bits_rate,
    m.SMF73CMG AS measurement_group,
    m.SMF73GEN AS generation,
    m.utc_offset_s, m.file_id, m.record_offset AS place
FROM measured m
LEFT JOIN named n ON n.record_id = m.record_id
LEFT JOIN selected e
    ON e.record_id = CASE WHEN m.SMF73FG4_XCM AND m.SMF73CMG <= 3 THEN m.record_id END
    AND e.selector = CASE WHEN n.are_named THEN m.SMF73PID ELSE CAST(m.SMF73EIX AS STRING) END
