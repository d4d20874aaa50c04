/** The steps of PostgreSQL's schema, in order. A step that was released never changes. */
export const POSTGRES_STEPS: readonly string[] = [
  // 1: sessions
  `
-- Substring search, of Chinese and of parts of identifiers too.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE sessions (
  id text PRIMARY KEY,
  -- Only breaks the tie between sessions that were written to at the same time.
  place bigint GENERATED ALWAYS AS IDENTITY,
  owner text NOT NULL,
  workspace text NOT NULL,
  title text,
  -- Lower case, made by us: what \`lower\` and ILIKE do depends on the locale of the database.
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
  -- JSON as text: jsonb reorders keys and refuses \\u0000 and lone surrogates.
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
`,

  // 2: summaries
  `
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
`,

  // 3: signals
  `
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
`,

  // 4: summaries by revision
  `
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
`,

  // 5: chains
  `
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
`,
]
