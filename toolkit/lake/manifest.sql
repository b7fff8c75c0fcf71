-- What the lake knows about itself. Nothing here depends on when or where an ingest ran.
CREATE TABLE IF NOT EXISTS meta (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS file (
    file_id      TEXT PRIMARY KEY,   -- first 16 digits of hash
    hash         TEXT NOT NULL UNIQUE,  -- of all bytes: XXH3, 32 hex digits
    path         TEXT NOT NULL,      -- as named when it was first ingested
    bytes        INTEGER NOT NULL,   -- size on disk, packed
    kind         TEXT NOT NULL,
    packaging    TEXT NOT NULL,      -- layers taken off, outermost first
    records_read INTEGER NOT NULL,
    decoded      INTEGER NOT NULL,
    skipped      INTEGER NOT NULL,
    failed       INTEGER NOT NULL,
    frame_bytes  INTEGER NOT NULL,
    lost_bytes   INTEGER NOT NULL,
    total_bytes  INTEGER NOT NULL,   -- size unpacked
    digests      INTEGER NOT NULL    -- record digests kept in _digests/<file_id>.npy
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS file_kind (
    file_id TEXT NOT NULL REFERENCES file,
    kind    TEXT NOT NULL,
    read    INTEGER NOT NULL,
    decoded INTEGER NOT NULL,
    skipped INTEGER NOT NULL,
    failed  INTEGER NOT NULL,
    bytes   INTEGER NOT NULL,
    PRIMARY KEY (file_id, kind)
) WITHOUT ROWID;

-- inputs read for some types of SMF records only
CREATE TABLE IF NOT EXISTS file_wanted (
    file_id TEXT PRIMARY KEY REFERENCES file,
    kinds   TEXT NOT NULL    -- "74.1 74.5"
) WITHOUT ROWID;

CREATE TABLE IF NOT EXISTS issue (
    file_id  TEXT NOT NULL REFERENCES file,
    seq      INTEGER NOT NULL,
    code     TEXT NOT NULL,
    severity TEXT NOT NULL,
    message  TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    record   INTEGER NOT NULL,
    count    INTEGER NOT NULL,
    PRIMARY KEY (file_id, seq)
) WITHOUT ROWID;

-- What a Parquet file holds of an input: a file that was merged of several (iosq compact) has a row for each of them.
-- `rows` and the interval starts are the input's, all else is the file's.
CREATE TABLE IF NOT EXISTS part (
    file_id           TEXT NOT NULL REFERENCES file,
    "table"           TEXT NOT NULL,
    path              TEXT NOT NULL,         -- below the lake, with forward slashes
    rows              INTEGER NOT NULL,      -- of this input
    bytes             INTEGER NOT NULL,
    system            TEXT,
    first_interval_us INTEGER,               -- interval_start, microseconds since 1970 (UTC)
    last_interval_us  INTEGER,
    hash              TEXT NOT NULL,         -- XXH3 of the file, 32 hex digits
    PRIMARY KEY (file_id, "table", path)
) WITHOUT ROWID;

CREATE INDEX IF NOT EXISTS part_path ON part (path);
