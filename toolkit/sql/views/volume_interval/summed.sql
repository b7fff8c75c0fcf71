-- feeds: volume_interval
SELECT * FROM _volume_summed
