-- Substring search, of Chinese and of parts of identifiers too.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE sessions (
  id text PRIMARY KEY,
  -- Only breaks the tie between sessions that were written to at the same time.
  place bigint GENERATED ALWAYS AS IDENTITY,
  owner text NOT NULL,
  workspace text NOT NULL,
  title text,
  -- Lower case, made by us: what `lower` and ILIKE do depends on the locale of the database.
  folded_workspace text NOT NULL,
  folded_title text,
  parent_id text REFERENCES sessions (id),
  parent_seq bigint,
  created_at double precision NOT NULL,
  updated_at double precision NOT NULL,
  last_seq bigint NOT NULL,
  revision bigint NOT NULL,
  -- Deleted, but forks share some of its entries.
  hidden boolean NOT NULL DEFAULT false,
  CHECK ((parent_id IS NULL) = (parent_seq IS NULL))
);

CREATE INDEX sessions_newest ON sessions (updated_at, place) WHERE NOT hidden;
CREATE INDEX sessions_forks ON sessions (parent_id) WHERE parent_id IS NOT NULL;
CREATE INDEX sessions_hidden ON sessions (id) WHERE hidden;

CREATE TABLE entries (
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  id text NOT NULL,
  at double precision NOT NULL,
  type text NOT NULL,
  -- JSON as text: jsonb reorders keys and refuses \u0000 and lone surrogates.
  body text NOT NULL,
  changes_view boolean NOT NULL,
  -- A message of the user.
  opens_turn boolean NOT NULL,
  PRIMARY KEY (session_id, seq)
);

CREATE INDEX entries_changes ON entries (session_id, seq) WHERE type <> 'message';
CREATE INDEX entries_view_changes ON entries (session_id, seq) WHERE changes_view;
CREATE INDEX entries_turns ON entries (session_id, seq) WHERE opens_turn;

CREATE TABLE search_texts (
  session_id text NOT NULL,
  seq bigint NOT NULL,
  -- Lower case, see sessions.
  folded text NOT NULL,
  PRIMARY KEY (session_id, seq),
  FOREIGN KEY (session_id, seq) REFERENCES entries (session_id, seq) ON DELETE CASCADE
);

CREATE INDEX search_texts_folded ON search_texts USING gin (folded gin_trgm_ops);

CREATE TABLE leases (
  session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  token text NOT NULL,
  holder text NOT NULL,
  expires_at double precision NOT NULL
);

CREATE TABLE append_keys (
  session_id text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
  key text NOT NULL,
  from_seq bigint NOT NULL,
  upto_seq bigint NOT NULL,
  PRIMARY KEY (session_id, key)
);
