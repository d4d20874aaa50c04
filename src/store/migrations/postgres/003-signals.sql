-- What processes tell each other while they work in a session: a request to cancel, an answer to a question.
CREATE TABLE signals (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  kind text NOT NULL,
  body text NOT NULL,
  at double precision NOT NULL
);

-- Before there were signals, they were appended to the log as attempts at a compaction. These entries keep their place,
-- because others are named by their seq, and say nothing any more.
UPDATE entries
SET type = 'settings', body = json_build_object('type', 'settings', 'id', id, 'seq', seq, 'at', at)::text
WHERE type <> 'message' AND type = 'attempt' AND (
  body LIKE '%"reason":"Cancel requested: compaction:%'
  OR body LIKE '%"reason":"Cancel requested: turn:%'
  OR body LIKE '%"reason":"Question answered: {%'
);
