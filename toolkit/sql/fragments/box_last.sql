-- fragment: box_subsystem {name} of {row} at last
-- The join of rows with a subsystem, as ROW, with the box that it is in last, as NAME.
JOIN (SELECT * FROM box_subsystem WHERE year(until) = 9999) {name} ON {name}.subsystem = {row}.subsystem
