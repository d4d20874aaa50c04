-- What is kept of summaries belongs to one revision of the session's view. All of it can be made again from the log.
DROP TABLE summaries;
CREATE TABLE summaries (
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  revision bigint NOT NULL,
  seq bigint NOT NULL,
  body text NOT NULL,
  facts text NOT NULL,
  PRIMARY KEY (session_id, seq)
);
