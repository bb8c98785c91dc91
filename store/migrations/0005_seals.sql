-- Who made a receipt, and the proof of it: see store/seal.go.
ALTER TABLE journal ADD COLUMN maker TEXT NOT NULL DEFAULT '';
ALTER TABLE journal ADD COLUMN seal  TEXT NOT NULL DEFAULT ''; -- '' in receipts of versions that had none

-- A run that came from another database: see store/turn.go.
ALTER TABLE run ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
