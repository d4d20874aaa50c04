/** Takes away everything that the step of the schema with the index of words and the steps after it have made. */
export const UNINDEXED = `
  DROP FUNCTION pith_signal_notice CASCADE;
  DROP FUNCTION pith_append_each_heard, pith_append_each_sized, pith_append_sized, pith_sizes;
  DROP TABLE server_tokens, server_grants, server_access, server_spending;
  DROP TABLE sizes, tasks, listening;
  ALTER TABLE entries DROP COLUMN size;
  DROP FUNCTION pith_search_waits, pith_nothing, pith_end_search_texts CASCADE;
  DROP TABLE search_blocks, search_segments, search_waiting;
  CREATE INDEX search_texts_folded ON search_texts USING gin (folded gin_trgm_ops)`
