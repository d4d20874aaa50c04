/** The handle of an entry: `recall` takes it to find messages that the view does not show. */
export function handle(seq: number): string {
  return `#${seq}`
}

/** The handles of many entries in a short form: `#3, #7-#12`. */
export function handleRanges(seqs: readonly number[]): string {
  const ranges: [first: number, last: number][] = []
  for (const seq of seqs.toSorted((a, b) => a - b)) {
    const range = ranges.at(-1)
    if (range !== undefined && seq === range[1] + 1) range[1] = seq
    else ranges.push([seq, seq])
  }
  return ranges.map(([first, last]) => (first === last ? handle(first) : `${handle(first)}-${handle(last)}`)).join(', ')
}
