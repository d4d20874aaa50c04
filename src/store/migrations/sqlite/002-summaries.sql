-- The summary and the facts of a compaction: apart from its body, so that opening a session need not read those of
-- compactions that a later one replaced.
ALTER TABLE entries ADD COLUMN facts TEXT;

-- What the live summaries of a session came to, kept beside its log. All of it can be made again from the log.
CREATE TABLE summaries (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  key TEXT NOT NULL,
  body TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (session_id, seq)
);

-- Up to this row of entries the search index is made; the few that came since are looked through one by one.
CREATE TABLE search_progress (indexed INTEGER NOT NULL);
INSERT INTO search_progress SELECT coalesce(max(row), 0) FROM entries;
