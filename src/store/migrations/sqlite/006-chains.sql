-- Which place of a log the beginning of a conversation stands for, by a hash of it: how a gateway knows a session again.
CREATE TABLE chains (
  value TEXT NOT NULL,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  PRIMARY KEY (value, session_id)
) WITHOUT ROWID;
CREATE INDEX chains_by_session ON chains (session_id, seq);

-- The process that extended a session last.
CREATE TABLE chain_holders (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id),
  holder TEXT NOT NULL
) WITHOUT ROWID;
