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

  // 6: append in one statement
  `
-- Appends entries to a session in one round trip: the lock that gives the order, the key, the revision, the rows, the
-- texts to search in, the row of the session, and the notice for every process. A body comes in two halves, because only
-- here the seq between them is known. The answer: \`known\` with the range of the first append with this key,
-- \`superseded\`, \`appended\` with the new range, or no row for an unknown session.
CREATE OR REPLACE FUNCTION pith_append(
  of_session text, append_key text, planned_on bigint,
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[], new_title text, new_folded_title text
)
RETURNS TABLE (outcome text, from_seq bigint, upto_seq bigint, revision bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  before_seq bigint;
  before_revision bigint;
  known_from bigint;
  known_upto bigint;
  is_new_key boolean := false;
  count_new int := coalesce(array_length(ids, 1), 0);
BEGIN
  SELECT s.last_seq, s.revision INTO before_seq, before_revision
  FROM sessions s WHERE s.id = of_session AND NOT s.hidden FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- While the session is locked nobody else adds a key to it. One statement where no condition can follow.
  IF append_key IS NOT NULL AND planned_on IS NULL THEN
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    VALUES (of_session, append_key, before_seq + 1, before_seq + count_new) ON CONFLICT DO NOTHING;
    is_new_key := FOUND;
  END IF;
  IF append_key IS NOT NULL AND NOT is_new_key THEN
    SELECT k.from_seq, k.upto_seq INTO known_from, known_upto
    FROM append_keys k WHERE k.session_id = of_session AND k.key = append_key;
    IF FOUND THEN
      RETURN QUERY SELECT 'known'::text, known_from, known_upto, before_revision;
      RETURN;
    END IF;
  END IF;
  IF planned_on IS NOT NULL AND planned_on <> before_revision THEN
    RETURN QUERY SELECT 'superseded'::text, before_seq + 1, before_seq, before_revision;
    RETURN;
  END IF;
  IF count_new = 1 THEN
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn)
    VALUES (of_session, before_seq + 1, ids[1], ats[1], types[1], heads[1] || (before_seq + 1) || tails[1], all_facts[1],
      change_views[1], open_turns[1]);
    IF folded_texts[1] <> '' THEN
      INSERT INTO search_texts (session_id, seq, folded) VALUES (of_session, before_seq + 1, folded_texts[1]);
    END IF;
  ELSIF count_new > 1 THEN
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn)
    SELECT of_session, before_seq + i, ids[i], ats[i], types[i], heads[i] || (before_seq + i) || tails[i], all_facts[i],
      change_views[i], open_turns[i]
    FROM generate_series(1, count_new) AS i;
    INSERT INTO search_texts (session_id, seq, folded)
    SELECT of_session, before_seq + i, folded_texts[i] FROM generate_series(1, count_new) AS i WHERE folded_texts[i] <> '';
  END IF;
  IF count_new > 0 THEN
    FOR i IN REVERSE count_new..1 LOOP
      IF change_views[i] THEN
        before_revision := before_seq + i;
        EXIT;
      END IF;
    END LOOP;
    UPDATE sessions SET last_seq = before_seq + count_new, updated_at = ats[count_new], revision = before_revision,
      title = coalesce(new_title, title), folded_title = coalesce(new_folded_title, folded_title)
    WHERE id = of_session;
    PERFORM pg_notify(
      'pith',
      json_build_object('session', of_session, 'from', before_seq + 1, 'seq', before_seq + count_new)::text
    );
  END IF;
  IF append_key IS NOT NULL AND NOT is_new_key THEN
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    VALUES (of_session, append_key, before_seq + 1, before_seq + count_new);
  END IF;
  RETURN QUERY SELECT 'appended'::text, before_seq + 1, before_seq + count_new, before_revision;
END
$$;
`,

  // 7: accounts
  `
-- What was counted in the log of a session up to an entry. All of it can be made again from the log.
CREATE TABLE accounts (
  session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  body text NOT NULL
);
`,

  // 8: pauses
  `
-- For a moment only the process with this token appends to the session; the others wait.
CREATE TABLE pauses (
  session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  token text NOT NULL,
  until double precision NOT NULL
);

-- As pith_append; but while another process has paused the session the answer is \`paused\`, with the milliseconds that are
-- left in the place of the first seq. Without \`now_ms\` no pause counts.
CREATE OR REPLACE FUNCTION pith_append_unless_paused(
  now_ms double precision, own_pause text,
  of_session text, append_key text, planned_on bigint,
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[], new_title text, new_folded_title text
)
RETURNS TABLE (outcome text, from_seq bigint, upto_seq bigint, revision bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  paused_until double precision;
BEGIN
  -- Who waits here while a pause begins has to see it.
  PERFORM 1 FROM sessions s WHERE s.id = of_session FOR UPDATE;
  SELECT p.until INTO paused_until FROM pauses p
  WHERE p.session_id = of_session AND p.until > now_ms AND p.token IS DISTINCT FROM own_pause;
  IF FOUND THEN
    RETURN QUERY SELECT 'paused'::text, ceil(paused_until - now_ms)::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  RETURN QUERY SELECT a.outcome, a.from_seq, a.upto_seq, a.revision FROM pith_append(
    of_session, append_key, planned_on, ids, ats, types, heads, tails, all_facts, change_views, open_turns, folded_texts,
    new_title, new_folded_title
  ) a;
END
$$;
`,

  // 9: appends of many sessions in one statement
  `
-- Appends one entry to each of several sessions, all in one commit. A session that somebody else has locked, that is
-- paused or unknown, and one whose key was used before, is left out of the answer: that append has to go alone. So nobody
-- waits here for anybody else's session.
CREATE OR REPLACE FUNCTION pith_append_each(
  now_ms double precision, of_sessions text[], new_keys text[], new_titles text[], new_folded_titles text[],
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[]
)
RETURNS TABLE (place int, seq bigint)
LANGUAGE plpgsql
-- A plan for each list of sessions would take as long as the work itself.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  places int[];
  seqs bigint[];
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT s.id, s.last_seq FROM sessions s WHERE s.id = ANY (of_sessions) AND NOT s.hidden FOR UPDATE SKIP LOCKED
  )
  SELECT array_agg(g.n::int), array_agg(l.last_seq + 1) INTO places, seqs
  FROM unnest(of_sessions) WITH ORDINALITY AS g (id, n) JOIN locked l ON l.id = g.id;
  -- Only a statement that begins after the lock is had sees every pause and every key.
  RETURN QUERY
  WITH fresh AS MATERIALIZED (
    SELECT a.n, a.seq, of_sessions[a.n] AS session_id FROM unnest(places, seqs) AS a (n, seq)
    WHERE NOT EXISTS (SELECT FROM pauses p WHERE p.session_id = of_sessions[a.n] AND p.until > now_ms)
      AND NOT EXISTS (SELECT FROM append_keys k WHERE k.session_id = of_sessions[a.n] AND k.key = new_keys[a.n])
  ), said AS (
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn)
    SELECT f.session_id, f.seq, ids[n], ats[n], types[n], heads[n] || f.seq || tails[n], all_facts[n], change_views[n],
      open_turns[n] FROM fresh f
  ), found AS (
    INSERT INTO search_texts (session_id, seq, folded)
    SELECT f.session_id, f.seq, folded_texts[n] FROM fresh f WHERE folded_texts[n] <> ''
  ), keyed AS (
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    SELECT f.session_id, new_keys[n], f.seq, f.seq FROM fresh f WHERE new_keys[n] IS NOT NULL
  ), grown AS (
    UPDATE sessions s SET last_seq = f.seq, updated_at = ats[n],
      revision = CASE WHEN change_views[n] THEN f.seq ELSE s.revision END,
      title = coalesce(new_titles[n], s.title), folded_title = coalesce(new_folded_titles[n], s.folded_title)
    FROM fresh f WHERE s.id = f.session_id
  ), told AS MATERIALIZED (
    SELECT pg_notify('pith', json_build_object('session', f.session_id, 'from', f.seq, 'seq', f.seq)::text) FROM fresh f
  )
  SELECT f.n, f.seq FROM fresh f, (SELECT count(*) FROM told) AS all_told;
END
$$;
`,

  // 10: many redactions
  `
-- The changes that a redaction has to look through: those that have texts.
CREATE INDEX entries_with_text ON entries (session_id, seq)
  WHERE type NOT IN ('message', 'redact', 'undo', 'pin', 'mask', 'squeeze');
`,

  // 11: entries by time
  `
-- A search for a common word looks at the newest entries first.
CREATE INDEX entries_newest ON entries (at);
`,

  // 12: an index of words
  `
-- A part of the index of words. The documents and the terms of a segment never change; documents that are gone are listed.
CREATE TABLE search_segments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  owner text NOT NULL,
  sessions jsonb NOT NULL,
  docs bytea NOT NULL,
  -- How many documents are not gone.
  count integer NOT NULL,
  gone integer[] NOT NULL DEFAULT '{}'
);
ALTER TABLE search_segments ALTER COLUMN docs SET STORAGE EXTERNAL;
CREATE INDEX search_segments_owner ON search_segments (owner);
CREATE INDEX search_segments_sessions ON search_segments USING gin (sessions);

-- Terms in order, one on each line, and the documents of each. A term is in the block with the greatest \`first\` up to it.
CREATE TABLE search_blocks (
  segment bigint NOT NULL REFERENCES search_segments (id) ON DELETE CASCADE,
  first text COLLATE "C" NOT NULL,
  terms text COLLATE "C" NOT NULL,
  lists bytea NOT NULL,
  PRIMARY KEY (segment, first)
);
-- The lists are packed already. The terms stay in the row, because a search for a part of a word reads all of them.
ALTER TABLE search_blocks ALTER COLUMN lists SET STORAGE EXTERNAL, ALTER COLUMN terms SET STORAGE MAIN;

-- Entries that are not in the index yet. \`is_stale\`: the index has an earlier text of the entry, or the entry was deleted.
CREATE TABLE search_waiting (
  session_id text NOT NULL,
  seq bigint NOT NULL,
  is_stale boolean NOT NULL,
  PRIMARY KEY (session_id, seq)
);

-- Triggers, because a process of an older version may write at the same time, and does not know this index.
CREATE FUNCTION pith_search_waits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_waiting (session_id, seq, is_stale) SELECT session_id, seq, TG_OP <> 'INSERT' FROM changed
  ON CONFLICT (session_id, seq) DO UPDATE SET is_stale = search_waiting.is_stale OR excluded.is_stale;
  RETURN NULL;
END
$$;
CREATE TRIGGER entries_added AFTER INSERT ON entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION pith_search_waits();
CREATE TRIGGER entries_overwritten AFTER UPDATE ON entries
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION pith_search_waits();
CREATE TRIGGER entries_deleted AFTER DELETE ON entries
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION pith_search_waits();

-- Ends the search by pieces of text. Its table stays, empty: a process of an older version still adds to it. A backup may
-- have the tables locked for long; appends do not wait for it together with us.
CREATE FUNCTION pith_nothing() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION pith_end_search_texts() RETURNS void LANGUAGE plpgsql SET lock_timeout = '1s' AS $$
BEGIN
  LOCK TABLE entries, search_texts IN ACCESS EXCLUSIVE MODE;
  IF to_regclass('search_texts_folded') IS NULL THEN RETURN; END IF;
  TRUNCATE search_texts;
  CREATE TRIGGER search_texts_ended BEFORE INSERT ON search_texts FOR EACH ROW EXECUTE FUNCTION pith_nothing();
  DROP INDEX IF EXISTS search_texts_folded, entries_newest;
END
$$;

INSERT INTO search_waiting (session_id, seq, is_stale) SELECT session_id, seq, false FROM entries;
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM search_waiting) THEN PERFORM pith_end_search_texts(); END IF;
END
$$;
`,

  // 13: sizes
  `
-- The size of a message, so that nobody has to read it again to know how full a context is. Older entries have none.
ALTER TABLE entries ADD COLUMN size text;

-- The size of a session up to an entry. It can be made again from the log.
CREATE TABLE sizes (
  session_id text PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  seq bigint NOT NULL,
  body text NOT NULL
);

-- As pith_append_unless_paused, with the sizes of the entries; they are null or as many as the entries.
CREATE FUNCTION pith_append_sized(
  now_ms double precision, own_pause text,
  of_session text, append_key text, planned_on bigint,
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[], new_title text, new_folded_title text,
  new_sizes text[]
)
RETURNS TABLE (outcome text, from_seq bigint, upto_seq bigint, revision bigint)
LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  before_seq bigint;
  before_revision bigint;
  known_from bigint;
  known_upto bigint;
  paused_until double precision;
  count_new int := coalesce(array_length(ids, 1), 0);
BEGIN
  SELECT s.last_seq, s.revision INTO before_seq, before_revision
  FROM sessions s WHERE s.id = of_session AND NOT s.hidden FOR UPDATE;
  IF NOT FOUND THEN RETURN; END IF;
  -- Only a statement that begins after the lock is had sees every pause and every key.
  SELECT p.until INTO paused_until FROM pauses p
  WHERE p.session_id = of_session AND p.until > now_ms AND p.token IS DISTINCT FROM own_pause;
  IF FOUND THEN
    RETURN QUERY SELECT 'paused'::text, ceil(paused_until - now_ms)::bigint, 0::bigint, 0::bigint;
    RETURN;
  END IF;
  IF append_key IS NOT NULL THEN
    SELECT k.from_seq, k.upto_seq INTO known_from, known_upto
    FROM append_keys k WHERE k.session_id = of_session AND k.key = append_key;
    IF FOUND THEN
      RETURN QUERY SELECT 'known'::text, known_from, known_upto, before_revision;
      RETURN;
    END IF;
  END IF;
  IF planned_on IS NOT NULL AND planned_on <> before_revision THEN
    RETURN QUERY SELECT 'superseded'::text, before_seq + 1, before_seq, before_revision;
    RETURN;
  END IF;
  IF append_key IS NOT NULL THEN
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    VALUES (of_session, append_key, before_seq + 1, before_seq + count_new);
  END IF;
  IF count_new > 0 THEN
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn, size)
    SELECT of_session, before_seq + i, ids[i], ats[i], types[i], heads[i] || (before_seq + i) || tails[i], all_facts[i],
      change_views[i], open_turns[i], new_sizes[i]
    FROM generate_series(1, count_new) AS i;
    INSERT INTO search_texts (session_id, seq, folded)
    SELECT of_session, before_seq + i, folded_texts[i] FROM generate_series(1, count_new) AS i WHERE folded_texts[i] <> '';
    FOR i IN REVERSE count_new..1 LOOP
      IF change_views[i] THEN
        before_revision := before_seq + i;
        EXIT;
      END IF;
    END LOOP;
    UPDATE sessions SET last_seq = before_seq + count_new, updated_at = ats[count_new], revision = before_revision,
      title = coalesce(new_title, title), folded_title = coalesce(new_folded_title, folded_title)
    WHERE id = of_session;
    PERFORM pg_notify(
      'pith',
      json_build_object('session', of_session, 'from', before_seq + 1, 'seq', before_seq + count_new)::text
    );
  END IF;
  RETURN QUERY SELECT 'appended'::text, before_seq + 1, before_seq + count_new, before_revision;
END
$$;

-- The sizes of the entries from after \`counted\` up to before \`next\`, one on each line, empty for an entry without one; null if
-- there are too many.
CREATE FUNCTION pith_sizes(of_session text, counted bigint, next bigint) RETURNS text LANGUAGE sql STABLE AS $$
  SELECT CASE
    WHEN next - counted = 1 THEN ''
    WHEN next - counted BETWEEN 2 AND 201 THEN (
      SELECT string_agg(coalesce(e.size, ''), E'\\n' ORDER BY e.seq) FROM entries e
      WHERE e.session_id = of_session AND e.seq > counted AND e.seq < next
    )
  END
$$;

-- As pith_append_each, with sizes. \`counted\`: the entry up to which the caller has the size of the session, -1 if it wants
-- none, null if it wants the size that was kept. \`to_keep\`: the size up to that entry.
CREATE FUNCTION pith_append_each_sized(
  now_ms double precision, of_sessions text[], new_keys text[], new_titles text[], new_folded_titles text[],
  new_sizes text[], counted bigint[], to_keep text[],
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[]
)
RETURNS TABLE (place int, seq bigint, kept_seq bigint, kept text, before text)
LANGUAGE plpgsql
-- A plan for each list of sessions would take as long as the work itself.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  places int[];
  seqs bigint[];
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT s.id, s.last_seq FROM sessions s WHERE s.id = ANY (of_sessions) AND NOT s.hidden FOR UPDATE SKIP LOCKED
  )
  SELECT array_agg(g.n::int), array_agg(l.last_seq + 1) INTO places, seqs
  FROM unnest(of_sessions) WITH ORDINALITY AS g (id, n) JOIN locked l ON l.id = g.id;
  -- Only a statement that begins after the lock is had sees every pause and every key.
  RETURN QUERY
  WITH fresh AS MATERIALIZED (
    SELECT a.n, a.seq, of_sessions[a.n] AS session_id FROM unnest(places, seqs) AS a (n, seq)
    WHERE NOT EXISTS (SELECT FROM pauses p WHERE p.session_id = of_sessions[a.n] AND p.until > now_ms)
      AND NOT EXISTS (SELECT FROM append_keys k WHERE k.session_id = of_sessions[a.n] AND k.key = new_keys[a.n])
  ), said AS (
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn, size)
    SELECT f.session_id, f.seq, ids[n], ats[n], types[n], heads[n] || f.seq || tails[n], all_facts[n], change_views[n],
      open_turns[n], new_sizes[n] FROM fresh f
  ), found AS (
    INSERT INTO search_texts (session_id, seq, folded)
    SELECT f.session_id, f.seq, folded_texts[n] FROM fresh f WHERE folded_texts[n] <> ''
  ), keyed AS (
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    SELECT f.session_id, new_keys[n], f.seq, f.seq FROM fresh f WHERE new_keys[n] IS NOT NULL
  ), grown AS (
    UPDATE sessions s SET last_seq = f.seq, updated_at = ats[n],
      revision = CASE WHEN change_views[n] THEN f.seq ELSE s.revision END,
      title = coalesce(new_titles[n], s.title), folded_title = coalesce(new_folded_titles[n], s.folded_title)
    FROM fresh f WHERE s.id = f.session_id
  ), keeping AS (
    INSERT INTO sizes (session_id, seq, body)
    SELECT f.session_id, counted[n], to_keep[n] FROM fresh f WHERE to_keep[n] IS NOT NULL
    ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, body = excluded.body
  ), told AS MATERIALIZED (
    SELECT pg_notify('pith', json_build_object('session', f.session_id, 'from', f.seq, 'seq', f.seq)::text) FROM fresh f
  )
  SELECT f.n, f.seq, k.seq, k.body,
    CASE WHEN counted[f.n] >= 0 OR k.seq IS NOT NULL
      THEN pith_sizes(f.session_id, coalesce(counted[f.n], k.seq), f.seq) END
  FROM fresh f
    LEFT JOIN sizes k ON counted[f.n] IS NULL AND k.session_id = f.session_id,
    (SELECT count(*) FROM told) AS all_told;
END
$$;
`,

  // 14: access to servers
  `
-- The tokens of servers. One that was removed stays as a mark, so that a file of tokens does not bring it back.
CREATE TABLE server_tokens (
  hash text PRIMARY KEY,
  -- Only shows them in the order in which they were made.
  place bigint GENERATED ALWAYS AS IDENTITY,
  name text NOT NULL,
  body text NOT NULL,
  removed boolean NOT NULL DEFAULT false
);
CREATE UNIQUE INDEX server_tokens_by_name ON server_tokens (name) WHERE NOT removed;

-- Rights that were made from a token and end with it: logins of browsers, links.
CREATE TABLE server_grants (
  hash text PRIMARY KEY,
  token text NOT NULL,
  kind text NOT NULL,
  session_id text,
  expires_at double precision NOT NULL
);

-- The version changes with each change of the two tables above, so that a process reads them again only then.
CREATE TABLE server_access (version bigint NOT NULL);
INSERT INTO server_access VALUES (0);

-- The use of the server's own model keys, by token and day.
CREATE TABLE server_spending (
  token text NOT NULL,
  day text NOT NULL,
  cost double precision NOT NULL,
  tokens bigint NOT NULL,
  PRIMARY KEY (token, day)
);
`,

  // 15: tasks
  `
-- Work that one process at a time does for all, such as retention.
CREATE TABLE tasks (name text PRIMARY KEY, holder text NOT NULL, until double precision NOT NULL);
`,

  // 16: notices of appends only while a process listens
  `
-- The connections that listen to appends. Transactions with a notice are committed one at a time, and each notice wakes every
-- process that listens, so an append sends none while nobody does.
CREATE UNLOGGED TABLE listening (pid int PRIMARY KEY);

-- Signals have a channel of their own, which every process listens to. A trigger, because an older version sends them too.
CREATE FUNCTION pith_signal_notice() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('pith_signals', NEW.id::text);
  RETURN NULL;
END
$$;
CREATE TRIGGER signals_sent AFTER INSERT ON signals FOR EACH ROW EXECUTE FUNCTION pith_signal_notice();

-- As pith_append_each_sized, with notices only while a process listens.
CREATE FUNCTION pith_append_each_heard(
  now_ms double precision, of_sessions text[], new_keys text[], new_titles text[], new_folded_titles text[],
  new_sizes text[], counted bigint[], to_keep text[],
  ids text[], ats double precision[], types text[], heads text[], tails text[], all_facts text[],
  change_views boolean[], open_turns boolean[], folded_texts text[]
)
RETURNS TABLE (place int, seq bigint, kept_seq bigint, kept text, before text)
LANGUAGE plpgsql
-- A plan for each list of sessions would take as long as the work itself.
SET plan_cache_mode = force_generic_plan SET enable_seqscan = off
AS $$
#variable_conflict use_column
DECLARE
  places int[];
  seqs bigint[];
BEGIN
  WITH locked AS MATERIALIZED (
    SELECT s.id, s.last_seq FROM sessions s WHERE s.id = ANY (of_sessions) AND NOT s.hidden FOR UPDATE SKIP LOCKED
  )
  SELECT array_agg(g.n::int), array_agg(l.last_seq + 1) INTO places, seqs
  FROM unnest(of_sessions) WITH ORDINALITY AS g (id, n) JOIN locked l ON l.id = g.id;
  -- One that begins to listen waits until this append is done, or is seen below.
  PERFORM pg_advisory_xact_lock_shared(28777, 1);
  -- Only a statement that begins after the locks are had sees every pause, every key and all who listen.
  RETURN QUERY
  WITH fresh AS MATERIALIZED (
    SELECT a.n, a.seq, of_sessions[a.n] AS session_id FROM unnest(places, seqs) AS a (n, seq)
    WHERE NOT EXISTS (SELECT FROM pauses p WHERE p.session_id = of_sessions[a.n] AND p.until > now_ms)
      AND NOT EXISTS (SELECT FROM append_keys k WHERE k.session_id = of_sessions[a.n] AND k.key = new_keys[a.n])
  ), said AS (
    INSERT INTO entries (session_id, seq, id, at, type, body, facts, changes_view, opens_turn, size)
    SELECT f.session_id, f.seq, ids[n], ats[n], types[n], heads[n] || f.seq || tails[n], all_facts[n], change_views[n],
      open_turns[n], new_sizes[n] FROM fresh f
  ), found AS (
    INSERT INTO search_texts (session_id, seq, folded)
    SELECT f.session_id, f.seq, folded_texts[n] FROM fresh f WHERE folded_texts[n] <> ''
  ), keyed AS (
    INSERT INTO append_keys (session_id, key, from_seq, upto_seq)
    SELECT f.session_id, new_keys[n], f.seq, f.seq FROM fresh f WHERE new_keys[n] IS NOT NULL
  ), grown AS (
    UPDATE sessions s SET last_seq = f.seq, updated_at = ats[n],
      revision = CASE WHEN change_views[n] THEN f.seq ELSE s.revision END,
      title = coalesce(new_titles[n], s.title), folded_title = coalesce(new_folded_titles[n], s.folded_title)
    FROM fresh f WHERE s.id = f.session_id
  ), keeping AS (
    INSERT INTO sizes (session_id, seq, body)
    SELECT f.session_id, counted[n], to_keep[n] FROM fresh f WHERE to_keep[n] IS NOT NULL
    ON CONFLICT (session_id) DO UPDATE SET seq = excluded.seq, body = excluded.body
  ), told AS MATERIALIZED (
    SELECT pg_notify('pith', json_build_object('session', f.session_id, 'from', f.seq, 'seq', f.seq)::text) FROM fresh f
    WHERE EXISTS (SELECT FROM listening)
  )
  SELECT f.n, f.seq, k.seq, k.body,
    CASE WHEN counted[f.n] >= 0 OR k.seq IS NOT NULL
      THEN pith_sizes(f.session_id, coalesce(counted[f.n], k.seq), f.seq) END
  FROM fresh f
    LEFT JOIN sizes k ON counted[f.n] IS NULL AND k.session_id = f.session_id,
    (SELECT count(*) FROM told) AS all_told;
END
$$;
`,
]
