-- What an append costs beside the disk is the pages that it touches. Sorting the list of sessions when it is asked for
-- costs less than keeping it sorted at every append.
DROP INDEX sessions_by_recency;

-- Without AUTOINCREMENT, which writes the last number into a table of its own at every append. No number is given twice
-- all the same, or listeners would take a new entry for a known one: a deletion notes the highest number there was.
CREATE TABLE rows_given (highest INTEGER NOT NULL);
INSERT INTO rows_given SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'entries'), 0);

CREATE TABLE entries_again (
  row INTEGER PRIMARY KEY,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- Begins a turn.
  asks INTEGER NOT NULL,
  body TEXT NOT NULL,
  facts TEXT
);
INSERT INTO entries_again SELECT row, session_id, seq, id, type, asks, body, facts FROM entries ORDER BY row;
DROP TABLE entries;
ALTER TABLE entries_again RENAME TO entries;

CREATE UNIQUE INDEX entries_by_seq ON entries (session_id, seq);
CREATE INDEX entries_changes ON entries (session_id, seq) WHERE type <> 'message';
CREATE INDEX entries_asks ON entries (session_id, seq) WHERE asks = 1;
