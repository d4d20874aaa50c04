/** Says that nothing is compacted in time, and what to do. */
export function windowUnknown(model: string): string {
  const name = model === '' ? 'this model' : model
  return `the context window of ${name} is not known, so nothing is compacted before it is full: say it with the option window`
}

/** Said of a compaction that nobody could measure. */
export const WINDOW_MISSING =
  'the context window is not known, so nobody can tell whether these messages fit: say it with the option window'
