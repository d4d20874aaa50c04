-- Which place of a log the beginning of a conversation stands for, by a hash of it: how a gateway knows a session again.
CREATE TABLE chains (
  value text NOT NULL,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  PRIMARY KEY (value, session_id)
);
CREATE INDEX chains_by_session ON chains (session_id, seq);

-- The process that extended a session last.
CREATE TABLE chain_holders (
  session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  holder text NOT NULL
);
