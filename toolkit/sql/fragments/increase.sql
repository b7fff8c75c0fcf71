-- fragment: increase of {counter}
-- What a running total of 32 bits grew by since the sample before, in the window w.
({counter} - (lag({counter}) OVER w) + 4294967296) % 4294967296
