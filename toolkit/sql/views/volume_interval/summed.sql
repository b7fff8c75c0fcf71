SELECT * FROM _volume_summed
