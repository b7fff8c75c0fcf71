-- fragment: hours a day for a ms
-- What a millisecond lost in the rows summed up is a day, as findings have it: longer than a day, and it is divided by its
-- days; what less than a day lost is not carried to 24 hours.
(86400 / 3.6e6 / greatest(sum(interval_s), 86400))
