/** Says that nothing is compacted in time, and what to do. */
export function windowUnknown(model: string): string {
  const name = model === '' ? 'this model' : model
  return `the context window of ${name} is not known, so nothing is compacted before it is full: say it with the option window`
}
