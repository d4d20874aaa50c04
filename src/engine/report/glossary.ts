/**
 * The words of Pith that people meet in the web inspector and the docs, in everyday words. This is the only place that explains
 * them to users; CONTEXT.md has the exact meanings for developers.
 */
export const GLOSSARY = {
  log: 'everything that was said and done in a session; nothing is removed from it unless you redact it',
  compaction: 'older messages are replaced by a short record, so that the conversation fits',
  record: 'what the model reads instead of the replaced messages: a summary, and facts from the log',
  summary: 'the part of a record that a model wrote',
  digest: 'a summary put together from the log, without asking a model',
  tail: 'the newest messages, which a compaction keeps word for word',
  trigger: 'the size at which Pith compacts by itself',
  target: 'the size that a compaction brings the conversation down to, at most',
  'end of work': 'a good moment to compact: the agent has answered, the tests pass, or a commit was made',
  mask: 'an old tool result is replaced by one line; the log still has it',
  squeeze: 'of a very long text only the beginning and the end are sent',
  handle: '#12 names entry 12 of the log, wherever it is written',
  recall: 'getting replaced messages back from the log, word for word',
  pin: 'a message that every compaction keeps word for word',
} as const satisfies Readonly<Record<string, string>>

/** A word that is explained. */
export type GlossaryWord = keyof typeof GLOSSARY

/** `tail: the newest messages, …`: a word with its meaning, for a tooltip. */
export function glossaryText(word: GlossaryWord): string {
  return `${word}: ${GLOSSARY[word]}`
}
