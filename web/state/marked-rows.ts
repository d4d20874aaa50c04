/** The rows of the log that are marked to be left out, and the one that was marked last. */
export type MarkedRows = { readonly seqs: ReadonlySet<number>; readonly last?: number }

export const NO_ROWS: MarkedRows = { seqs: new Set() }

/** Marks a row, or takes its mark away. */
export function toggleRow({ seqs }: MarkedRows, seq: number): MarkedRows {
  const next = new Set(seqs)
  if (!next.delete(seq)) next.add(seq)
  return { seqs: next, last: seq }
}

/** Marks all rows between the last one and this one. */
export function markUpTo({ seqs, last }: MarkedRows, seq: number): MarkedRows {
  const from = Math.min(last ?? seq, seq)
  const upTo = Math.max(last ?? seq, seq)
  const between = Array.from({ length: upTo - from + 1 }, (_, i) => from + i)
  return { seqs: new Set([...seqs, ...between]), last: seq }
}

/** The marked rows as handles, with ranges: `#3-#5, #8`. */
export function markedHandles({ seqs }: MarkedRows): string {
  const ranges: { from: number; upTo: number }[] = []
  for (const seq of [...seqs].toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.upTo === seq - 1) last.upTo = seq
    else ranges.push({ from: seq, upTo: seq })
  }
  return ranges.map(({ from, upTo }) => (from === upTo ? `#${from}` : `#${from}-#${upTo}`)).join(', ')
}
