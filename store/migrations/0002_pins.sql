-- Names that people gave to runs: the baselines that others are held against.
-- No cascade: a run that has a name is not deleted.
CREATE TABLE pin (
    name  TEXT PRIMARY KEY,
    run   TEXT NOT NULL REFERENCES run (id),
    since TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX pin_by_run ON pin (run);
