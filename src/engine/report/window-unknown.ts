/** The notice that nothing is compacted in time, and what to do. */
export function windowUnknown(model: string): string {
  const name = model === '' ? 'this model' : model
  return `the context window of ${name} is not known, so nothing is compacted before it is full: set the option window`
}

/** The notice for a compaction that could not be measured. */
export const WINDOW_MISSING =
  'the context window is not known, so Pith cannot check whether these messages fit: set the option window'
