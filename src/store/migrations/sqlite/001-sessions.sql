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

-- `row` tells listeners what is new; the order of a session is its seq.
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
