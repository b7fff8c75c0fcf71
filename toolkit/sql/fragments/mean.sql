-- fragment: mean of {value} by {weight}
-- Mean weighted by I/Os or time, over the rows that have a value.
sum({weight} * {value}) / nullif(sum(CASE WHEN {value} IS NOT NULL THEN {weight} END), 0)
