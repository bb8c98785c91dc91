-- What the columns hold, and what the indexes are for, is described one folder up:
-- the tables are the same. Text sorts by its bytes (collation "C"), so that both
-- databases give rows in the same order. Blobs are zstd frames already: EXTERNAL
-- keeps the server from packing them again. rowid is the order in which rows came.

CREATE TABLE run (
    rowid       BIGINT GENERATED ALWAYS AS IDENTITY,
    id          TEXT   COLLATE "C" PRIMARY KEY,
    suite       TEXT   COLLATE "C" NOT NULL,
    version     TEXT   COLLATE "C" NOT NULL,
    started     TEXT   COLLATE "C" NOT NULL,
    elapsed_ns  BIGINT NOT NULL,
    status      TEXT   COLLATE "C" NOT NULL,
    seed        BIGINT NOT NULL,
    budget_ns   BIGINT NOT NULL,
    hosts       TEXT   COLLATE "C" NOT NULL,
    notes       TEXT   COLLATE "C",
    owner_pid   BIGINT NOT NULL,
    owner_start TEXT   COLLATE "C" NOT NULL,
    owner_boot  TEXT   COLLATE "C" NOT NULL, -- boot@machine
    inventory   BYTEA NOT NULL
);

CREATE INDEX run_by_start ON run (started);

CREATE TABLE trial (
    run      TEXT   COLLATE "C" NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    id       TEXT   COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    trial    TEXT   COLLATE "C" NOT NULL,
    scratch  TEXT   COLLATE "C",
    PRIMARY KEY (run, id),
    UNIQUE (run, position)
);

CREATE TABLE repeat (
    run        TEXT   COLLATE "C" NOT NULL,
    trial      TEXT   COLLATE "C" NOT NULL,
    n          BIGINT NOT NULL,
    started    TEXT   COLLATE "C" NOT NULL,
    elapsed_ns BIGINT NOT NULL,
    outcome    TEXT   COLLATE "C" NOT NULL,
    error      TEXT   COLLATE "C" NOT NULL,
    hint       TEXT   COLLATE "C" NOT NULL,
    PRIMARY KEY (run, trial, n),
    FOREIGN KEY (run, trial) REFERENCES trial (run, id) ON DELETE CASCADE
);

CREATE INDEX repeat_not_done ON repeat (run, trial, n) WHERE outcome <> 'done';

CREATE TABLE evidence (
    run        TEXT   COLLATE "C" NOT NULL,
    trial      TEXT   COLLATE "C" NOT NULL,
    repeat     BIGINT NOT NULL,
    watch      BYTEA,
    transcript BYTEA NOT NULL,
    PRIMARY KEY (run, trial, repeat),
    FOREIGN KEY (run, trial, repeat) REFERENCES repeat (run, trial, n) ON DELETE CASCADE
);

CREATE TABLE measurement (
    run      TEXT   COLLATE "C" NOT NULL,
    trial    TEXT   COLLATE "C" NOT NULL,
    repeat   BIGINT NOT NULL,
    position BIGINT NOT NULL,
    metric   TEXT   COLLATE "C" NOT NULL,
    value    DOUBLE PRECISION NOT NULL,
    unit     TEXT   COLLATE "C" NOT NULL,
    labels   TEXT   COLLATE "C",
    line     BIGINT NOT NULL,
    PRIMARY KEY (run, trial, repeat, position),
    FOREIGN KEY (run, trial, repeat) REFERENCES repeat (run, trial, n) ON DELETE CASCADE
);

-- Without the labels: an index has no room for those that are long.
CREATE INDEX measurement_by_metric ON measurement (metric, run, trial, repeat, position) INCLUDE (value, unit);

CREATE TABLE series (
    run       TEXT   COLLATE "C" NOT NULL,
    trial     TEXT   COLLATE "C" NOT NULL,
    repeat    BIGINT NOT NULL,
    position  BIGINT NOT NULL,
    samples   BYTEA,
    histogram BYTEA,
    PRIMARY KEY (run, trial, repeat, position),
    FOREIGN KEY (run, trial, repeat, position)
        REFERENCES measurement (run, trial, repeat, position) ON DELETE CASCADE
);

CREATE TABLE finding (
    run      TEXT   COLLATE "C" NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    rule     TEXT   COLLATE "C" NOT NULL,
    severity TEXT   COLLATE "C" NOT NULL,
    subject  TEXT   COLLATE "C" NOT NULL,
    finding  TEXT   COLLATE "C" NOT NULL,
    PRIMARY KEY (run, position)
);

CREATE TABLE journal (
    rowid       BIGINT GENERATED ALWAYS AS IDENTITY,
    receipt     TEXT   COLLATE "C" PRIMARY KEY,
    since       TEXT   COLLATE "C" NOT NULL,
    run         TEXT   COLLATE "C" NOT NULL,
    owner_pid   BIGINT NOT NULL,
    owner_start TEXT   COLLATE "C" NOT NULL,
    owner_boot  TEXT   COLLATE "C" NOT NULL,
    body        TEXT   COLLATE "C" NOT NULL
);

CREATE TABLE claim (
    host        TEXT   COLLATE "C" PRIMARY KEY,
    since       TEXT   COLLATE "C" NOT NULL,
    run         TEXT   COLLATE "C" NOT NULL,
    owner_pid   BIGINT NOT NULL,
    owner_start TEXT   COLLATE "C" NOT NULL,
    owner_boot  TEXT   COLLATE "C" NOT NULL
);

CREATE TABLE pin (
    name  TEXT COLLATE "C" PRIMARY KEY,
    run   TEXT COLLATE "C" NOT NULL REFERENCES run (id),
    since TEXT COLLATE "C" NOT NULL
);

CREATE INDEX pin_by_run ON pin (run);

ALTER TABLE run ALTER COLUMN inventory SET STORAGE EXTERNAL;
ALTER TABLE evidence ALTER COLUMN watch SET STORAGE EXTERNAL, ALTER COLUMN transcript SET STORAGE EXTERNAL;
ALTER TABLE series ALTER COLUMN samples SET STORAGE EXTERNAL, ALTER COLUMN histogram SET STORAGE EXTERNAL;
