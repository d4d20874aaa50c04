/** The description of the server that a client shows to its model. Some clients show only this until the model looks for a tool. */
export const INSTRUCTIONS =
  'Pith has every word of this session, also what was compacted, masked or shortened. When a summary or record names #12, or something from earlier is missing, call `recall`.'

export const RECALL_TEXTS = {
  description:
    'Gives back what was said or done earlier, word for word, also what was compacted, summarised, masked or cut since. Give `handles` to read entries (#12), or `search` to find them. A long answer comes in pages: it says which `offset` has the next.',
  handles: 'Entries: #12, or several and ranges: #12, #15-#20; of another session: ID#12',
  search:
    'Words in any order, the best hits first; "a phrase"; narrowed by file:upload.ts, tool:bash, role:user, is:error, before:2026-01-31',
  scope: 'Where to search: this session (default), all of this folder, or everything on this machine',
  session: 'Id of another session, from a hit',
  offset: 'With one handle: the character to go on from',
} as const

export const CONTEXT_TEXTS = {
  description:
    'Says how full the context window is, what fills it, the largest entries, and when the next compaction comes.',
} as const

export const CHANGE_CONTEXT_TEXTS = {
  description:
    "Drops a part of your context that is certainly of no more use, restores it, or asks for a compaction at the next end of work, with a focus. Look with `context` first, and drop much at once: it costs the cache. The user's words, pins, records and the current turn stay; the user can undo each use.",
  part: '#12, #12-#20, turn:#12, tool:Bash, file:src/a.ts or superseded',
  focus: 'For compact: what to keep in mind',
} as const

export const MEMORY_TEXTS = {
  description:
    'What earlier sessions in this project leave for this one: rules of the user, commands that pass, dead ends, open work, files. Each line has a handle for `recall`.',
  uri: 'pith://memory',
  title: 'The memory of this project',
} as const

export const PIN_TEXTS = {
  description:
    'Keeps one message word for word through every later compaction; one that was compacted comes back. Only for what must not be lost.',
  handle: 'The entry, such as #12',
  on: 'false lets it go again',
} as const
