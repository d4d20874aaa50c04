-- The summary and the facts of a compaction: apart from its body, so that opening a session need not read those of
-- compactions that a later one replaced.
ALTER TABLE entries ADD COLUMN facts text;

-- What the live summaries of a session came to, kept beside its log. All of it can be made again from the log.
CREATE TABLE summaries (
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  key text NOT NULL,
  body text NOT NULL,
  facts text NOT NULL,
  PRIMARY KEY (session_id, seq)
);
