-- reach: a day
-- title: Device rows of type 74.1 that should not be trusted blindly, and why
-- grain: one row per record_id, section_index
-- columns: system, interval_start, device, record_id, section_index
-- column is_offline BOOLEAN []: Offline at the end of the interval = SMF74CNF bit STA off
-- column is_voided BOOLEAN []: Online, but a flag voids its measurements = SMF74CNF bit CMB or VAC, or SMF74CNX bit DDT, CNI or NTF
-- column is_partial BOOLEAN []: Only partial statistics = SMF74CNF bit PAR
-- column connect_overflow BOOLEAN []: Connect timer overflowed, connect time is too small = SMF74COF > 0
-- column samples_dropped BOOLEAN []: RMF dropped samples with an implausible counter step = SMF74NSS > 0
-- column active_differs BOOLEAN []: Pend, disconnect and connect do not add up to the active time (more than 5 % apart) = SMF74PEN + SMF74DIS + SMF74CNN against SMF74ATV
-- column busier_than_possible BOOLEAN []: Pend, disconnect and connect time exceed what the exposures allow (by more than 10 %, see unfit_interval) = SMF74PEN + SMF74DIS + SMF74CNN > SMF74INT * exposures; of HyperPAV, whose exposures are sampled, and where their number changed (SMF74CNX bit NXC), never
-- column parts_differ BOOLEAN []: Command response time or device busy delay exceeds the pend it is a part of (by more than 5 % and 0.1 ms per event), or measured events are more than twice the starts and 1,000: these values, or the row's mean times, are NULL in views = SMF74CMR, SMF74DVB > SMF74PEN; SMF74MEC > 2 * SMF74SSC + 1000
-- column pend_suspect BOOLEAN []: I/Os queue although no exposure is used: pending times above 8.3 s may have wrapped = queue of 1 or more, less than a tenth of one exposure in use
-- column wait_differs BOOLEAN []: Sampled and measured queue disagree by more than a factor of 2 = SMF74QUE / SMF74SAM against SMF74IOS / SMF74INT, where either is above 0.5
-- columns: utc_offset_s
-- note: Pending time wraps about every 8.3 s inside the channel subsystem, and the multiples are lost before the record is written. No field shows it, so pend_suspect is a hint, not a proof.
WITH device AS (
    SELECT
        d.*,
        coalesce(SMF74CNF_STA, FALSE) AS is_online,
        coalesce(SMF74CNF_CMB OR SMF74CNF_VAC, FALSE) AS counts_void,
        coalesce(SMF74CNX_DDT OR SMF74CNX_CNI OR SMF74CNX_NTF, FALSE) AS times_void,
        CASE
            WHEN SMF74CNX_HPV OR SMF74CNX_NXC THEN NULL
            WHEN SMF74CNX_PAV THEN nullif(SMF74NUX, 0)
            ELSE 1
        END AS exposures,
        SMF74QUE / nullif(samples, 0) AS sampled_queue,
        SMF74IOS / 1e6 / nullif(interval_s, 0) AS measured_queue,
        (SMF74CNN + SMF74DIS) * 0.000128e0 / nullif(interval_s, 0) AS in_use,
        SMF74PEN * 0.000128e0 / nullif(interval_s, 0) AS pending
    FROM smf74_1_device_data d
)
SELECT
    *,
    CAST(coalesce(SMF74SCS, 0) AS STRING) || SMF74NUM AS device,
    NOT is_online AS is_offline,
    is_online AND (counts_void OR times_void) AS is_voided,
    is_online AND coalesce(SMF74CNF_PAR, FALSE) AS is_partial,
    is_online AND coalesce(SMF74COF > 0, FALSE) AS connect_overflow,
    is_online AND coalesce(SMF74NSS > 0, FALSE) AS samples_dropped,
    is_online AND NOT counts_void AND NOT times_void
        AND coalesce(abs(SMF74PEN + SMF74DIS + SMF74CNN - SMF74ATV) > 0.05 * SMF74ATV + 8, FALSE) AS active_differs,
    is_online AND NOT counts_void AND NOT times_void
        AND coalesce(pending + in_use > 1.1 * exposures, FALSE) AS busier_than_possible,
    is_online AND NOT counts_void AND NOT times_void
        AND coalesce(
            greatest(SMF74CMR, SMF74DVB) * 0.128e0 > 1.05 * SMF74PEN * 0.128e0 + 0.1 * SMF74MEC
            OR SMF74MEC > 2 * SMF74SSC + 1000,
            FALSE
        ) AS parts_differ,
    is_online AND NOT counts_void AND NOT times_void
        AND coalesce(greatest(sampled_queue, coalesce(measured_queue, 0)) >= 1 AND in_use < 0.1, FALSE) AS pend_suspect,
    is_online AND NOT counts_void
        AND coalesce(
            greatest(sampled_queue, measured_queue) > 0.5
            AND greatest(sampled_queue, measured_queue) > 2 * least(sampled_queue, measured_queue),
            FALSE
        ) AS wait_differs
FROM device
