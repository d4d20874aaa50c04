/** The tables of the search index, for any database that has one. As a part of a step they never change either. */
export const INDEX_TABLES = `
-- Parts of the index, each with entries of one owner. A segment never changes: it is replaced by another one.
CREATE TABLE index_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  owner TEXT NOT NULL,
  sessions TEXT NOT NULL,
  count INTEGER NOT NULL,
  docs BLOB NOT NULL
);
CREATE INDEX index_segments_by_owner ON index_segments (owner);

-- The terms in order, in blocks. The terms come before the lists, so that looking through terms does not read lists.
CREATE TABLE index_blocks (
  id INTEGER PRIMARY KEY,
  segment INTEGER NOT NULL,
  first TEXT NOT NULL,
  terms TEXT NOT NULL,
  lists BLOB NOT NULL
);
CREATE INDEX index_blocks_by_term ON index_blocks (segment, first);

-- Entries that were redacted or deleted. The segments up to this one may still have their words, until they are replaced.
CREATE TABLE index_gone (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  session TEXT NOT NULL,
  first_seq INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  segment INTEGER NOT NULL
);
`

/** The steps of SQLite's schema, in order. A step that was released never changes. */
export const SQLITE_STEPS: readonly string[] = [
  // 1: sessions
  `
CREATE TABLE sessions (
  id TEXT PRIMARY KEY,
  owner TEXT NOT NULL,
  workspace TEXT NOT NULL,
  title TEXT,
  parent_id TEXT REFERENCES sessions (id),
  parent_seq INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  last_seq INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- Deleted, but forks still share its entries.
  hidden INTEGER NOT NULL DEFAULT 0
);

CREATE INDEX sessions_by_recency ON sessions (updated_at DESC, id DESC);
CREATE INDEX sessions_by_parent ON sessions (parent_id);

-- \`row\` tells listeners what is new; the order of a session is its seq.
CREATE TABLE entries (
  row INTEGER PRIMARY KEY AUTOINCREMENT,
  session_id TEXT NOT NULL REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL,
  -- Begins a turn.
  asks INTEGER NOT NULL,
  body TEXT NOT NULL
);

CREATE UNIQUE INDEX entries_by_seq ON entries (session_id, seq);
CREATE INDEX entries_changes ON entries (session_id, seq) WHERE type <> 'message';
CREATE INDEX entries_asks ON entries (session_id, seq) WHERE asks = 1;

-- Only the index is stored, the text is in the entry. Trigrams find parts of words, and scripts without spaces.
CREATE VIRTUAL TABLE search USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram');

CREATE TABLE leases (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id),
  token TEXT NOT NULL,
  holder TEXT NOT NULL,
  expires_at INTEGER NOT NULL
);

CREATE TABLE append_keys (
  session_id TEXT NOT NULL REFERENCES sessions (id),
  key TEXT NOT NULL,
  from_seq INTEGER NOT NULL,
  up_to INTEGER NOT NULL,
  PRIMARY KEY (session_id, key)
);
`,

  // 2: summaries
  `
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
`,

  // 3: fewer pages
  `
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
`,

  // 4: signals
  `
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
`,

  // 5: summaries by revision
  `
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
`,

  // 6: chains
  `
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
`,

  // 7: accounts
  `
-- What was counted in the log of a session up to an entry. All of it can be made again from the log.
CREATE TABLE accounts (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  body TEXT NOT NULL
);
`,

  // 8: pauses
  `
-- For a moment only the process with this token appends to the session; the others wait.
CREATE TABLE pauses (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id),
  token TEXT NOT NULL,
  until INTEGER NOT NULL
) WITHOUT ROWID;
`,

  // 9: many redactions
  `
-- Whether the search index still has pieces of texts that a redaction took out of it: it is then to be written anew.
ALTER TABLE search_progress ADD COLUMN rewrite TEXT NOT NULL DEFAULT 'done' CHECK (rewrite IN ('due', 'begun', 'done'));

-- The changes that a redaction has to look through: those that have texts.
CREATE INDEX entries_with_text ON entries (session_id, seq)
  WHERE type NOT IN ('message', 'redact', 'undo', 'pin', 'mask', 'squeeze');
`,

  // 10: an index of words
  `
${INDEX_TABLES}
-- Up to this row of entries the index is made. Until an old database is indexed as a whole, the old index answers.
CREATE TABLE index_progress (indexed INTEGER NOT NULL, complete INTEGER NOT NULL);
INSERT INTO index_progress SELECT 0, NOT EXISTS (SELECT 1 FROM entries);

-- Rows that were indexed and then overwritten: they wait with the new ones.
CREATE TABLE index_again (row INTEGER PRIMARY KEY);
`,

  // 11: sizes
  `
-- The size of a message, so that nobody has to read it again to know how full a context is. Older entries have none.
ALTER TABLE entries ADD COLUMN size TEXT;

-- The size of a session up to an entry. It can be made again from the log.
CREATE TABLE sizes (
  session_id TEXT PRIMARY KEY REFERENCES sessions (id),
  seq INTEGER NOT NULL,
  body TEXT NOT NULL
) WITHOUT ROWID;
`,

  // 12: access to servers
  `
-- The tokens of servers. One that was removed stays as a mark, so that a file of tokens does not bring it back.
CREATE TABLE server_tokens (
  hash TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  body TEXT NOT NULL,
  removed INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX server_tokens_by_name ON server_tokens (name) WHERE removed = 0;

-- Rights that were made from a token and end with it: logins of browsers, links.
CREATE TABLE server_grants (
  hash TEXT PRIMARY KEY,
  token TEXT NOT NULL,
  kind TEXT NOT NULL,
  session_id TEXT,
  expires_at INTEGER NOT NULL
) WITHOUT ROWID;

-- The version changes with each change of the two tables above, so that a process reads them again only then.
CREATE TABLE server_access (version INTEGER NOT NULL);
INSERT INTO server_access VALUES (0);

-- The use of the server's own model keys, by token and day.
CREATE TABLE server_spending (
  token TEXT NOT NULL,
  day TEXT NOT NULL,
  cost REAL NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (token, day)
) WITHOUT ROWID;
`,

  // 13: tasks
  `
-- Work that one process at a time does for all, such as retention.
CREATE TABLE tasks (name TEXT PRIMARY KEY, holder TEXT NOT NULL, until INTEGER NOT NULL) WITHOUT ROWID;
`,
]
