import type { Entry, Seq } from '../../../model/types.ts'

/** The messages that the user has put back into the view, each with the newest active pin that did it. */
export type PutBack = ReadonlyMap<Seq, Seq>

export function putBackIn(log: readonly Entry[], inactive: ReadonlySet<Seq>): PutBack {
  const back = new Map<Seq, Seq>()
  for (const entry of log) {
    if (entry.type !== 'pin' || entry.back === undefined || inactive.has(entry.seq)) continue
    for (const seq of entry.back) back.set(seq, entry.seq)
  }
  return back
}

/** True if a message was put back after an entry had removed or shortened it. */
export function isBackSince(back: PutBack, seq: Seq, entry: Seq): boolean {
  return (back.get(seq) ?? 0) > entry
}
