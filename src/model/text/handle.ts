/** How a user finds again what the view does not show: `recall` takes it. */
export function handle(seq: number): string {
  return `#${seq}`
}

/** Handles of many entries, in as few words as they need: `#3, #7-#12`. */
export function handleRanges(seqs: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && seq === range[1] + 1) range[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges.map(([first, last]) => (first === last ? handle(first) : `${handle(first)}-${handle(last)}`)).join(', ')
}
