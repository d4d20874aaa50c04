-- What is kept of summaries belongs to one revision of the session's view. All of it can be made again from the log.
DROP TABLE summaries;
CREATE TABLE summaries (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  revision INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  body TEXT NOT NULL,
  facts TEXT NOT NULL,
  PRIMARY KEY (session_id, seq)
);
