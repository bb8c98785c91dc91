-- Times are UTC text, "2006-01-02T15:04:05.000000000Z"; durations are whole
-- nanoseconds (columns named _ns); blobs are zstd frames.

CREATE TABLE run (
    id          TEXT    PRIMARY KEY,
    suite       TEXT    NOT NULL,
    version     TEXT    NOT NULL,
    started     TEXT    NOT NULL,
    elapsed_ns  INTEGER NOT NULL,
    status      TEXT    NOT NULL,
    seed        INTEGER NOT NULL,
    budget_ns   INTEGER NOT NULL,
    hosts       TEXT    NOT NULL, -- JSON array of names
    notes       TEXT,             -- JSON array
    owner_pid   INTEGER NOT NULL, -- the process that carries the run out
    owner_start TEXT    NOT NULL,
    owner_boot  TEXT    NOT NULL,
    inventory   BLOB    NOT NULL  -- JSON
) STRICT;

CREATE INDEX run_by_start ON run (started);

CREATE TABLE trial (
    run      TEXT    NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    id       TEXT    NOT NULL,
    position INTEGER NOT NULL, -- the plan's order, from 0
    trial    TEXT    NOT NULL, -- JSON
    scratch  TEXT,             -- JSON; NULL until it was lent
    PRIMARY KEY (run, id),
    UNIQUE (run, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE repeat (
    run        TEXT    NOT NULL,
    trial      TEXT    NOT NULL,
    n          INTEGER NOT NULL, -- from 1; 0 is the warm-up
    started    TEXT    NOT NULL,
    elapsed_ns INTEGER NOT NULL,
    outcome    TEXT    NOT NULL,
    error      TEXT    NOT NULL,
    hint       TEXT    NOT NULL,
    PRIMARY KEY (run, trial, n),
    FOREIGN KEY (run, trial) REFERENCES trial (run, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Beside its repeat, so that nothing has to step over large blobs.
CREATE TABLE evidence (
    run        TEXT    NOT NULL,
    trial      TEXT    NOT NULL,
    repeat     INTEGER NOT NULL,
    watch      BLOB,             -- JSON; NULL where nothing was watched
    transcript BLOB    NOT NULL, -- JSON
    PRIMARY KEY (run, trial, repeat),
    FOREIGN KEY (run, trial, repeat) REFERENCES repeat (run, trial, n) ON DELETE CASCADE
) STRICT;

CREATE TABLE measurement (
    run      TEXT    NOT NULL,
    trial    TEXT    NOT NULL,
    repeat   INTEGER NOT NULL,
    position INTEGER NOT NULL, -- as measured, from 0
    metric   TEXT    NOT NULL,
    value    REAL    NOT NULL, -- base units
    unit     TEXT    NOT NULL,
    labels   TEXT,             -- JSON object; NULL for none
    line     INTEGER NOT NULL, -- of the output; 0 unknown
    PRIMARY KEY (run, trial, repeat, position),
    FOREIGN KEY (run, trial, repeat) REFERENCES repeat (run, trial, n) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX measurement_by_metric ON measurement (metric, run);

-- What lies behind a measurement; no row where there is neither.
CREATE TABLE series (
    run       TEXT    NOT NULL,
    trial     TEXT    NOT NULL,
    repeat    INTEGER NOT NULL,
    position  INTEGER NOT NULL,
    samples   BLOB, -- pairs of seconds and value
    histogram BLOB, -- pairs of upper bound in seconds and count
    PRIMARY KEY (run, trial, repeat, position),
    FOREIGN KEY (run, trial, repeat, position)
        REFERENCES measurement (run, trial, repeat, position) ON DELETE CASCADE
) STRICT;

CREATE TABLE finding (
    run      TEXT    NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    rule     TEXT    NOT NULL,
    severity TEXT    NOT NULL, -- E, W, I or -
    subject  TEXT    NOT NULL,
    finding  TEXT    NOT NULL, -- JSON
    PRIMARY KEY (run, position)
) STRICT, WITHOUT ROWID;

-- Receipts and claims outlive their run: deleting it releases nothing.
CREATE TABLE journal (
    receipt     TEXT    PRIMARY KEY,
    since       TEXT    NOT NULL,
    run         TEXT    NOT NULL,
    owner_pid   INTEGER NOT NULL,
    owner_start TEXT    NOT NULL,
    owner_boot  TEXT    NOT NULL,
    body        TEXT    NOT NULL -- JSON, all that a volume needs to release it
) STRICT;

CREATE TABLE claim (
    host        TEXT    PRIMARY KEY,
    since       TEXT    NOT NULL,
    run         TEXT    NOT NULL,
    owner_pid   INTEGER NOT NULL,
    owner_start TEXT    NOT NULL,
    owner_boot  TEXT    NOT NULL
) STRICT;
