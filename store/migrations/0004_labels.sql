-- What people call runs by and write about them.
ALTER TABLE run ADD COLUMN labels  TEXT; -- JSON object; NULL for none
ALTER TABLE run ADD COLUMN remarks TEXT; -- JSON array; NULL for none
