-- What processes tell each other while they work in a session: a request to cancel, an answer to a question. Ids are not
-- given twice, or listeners would take a new signal for a known one.
CREATE TABLE signals (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  kind TEXT NOT NULL,
  body TEXT NOT NULL,
  at INTEGER NOT NULL
);

-- Before there were signals, they were appended to the log as attempts at a compaction. These entries keep their place,
-- because others are named by their seq, and say nothing any more.
UPDATE entries
SET type = 'settings',
  body = json_object('type', 'settings', 'id', id, 'seq', seq, 'at', json_extract(body, '$.at'))
WHERE type = 'attempt' AND json_valid(body) AND (
  body LIKE '%"reason":"Cancel requested: compaction:%'
  OR body LIKE '%"reason":"Cancel requested: turn:%'
  OR body LIKE '%"reason":"Question answered: {%'
);
