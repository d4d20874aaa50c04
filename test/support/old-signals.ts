import type { EntryOf } from '../../src/model/types.ts'

/** Requests and answers of other processes as old logs have them, and last an attempt that was one. */
export function oldSignals(session: string, seq: number): EntryOf<'attempt'>[] {
  const answer = { question: `${session}-q`, allow: false, text: 'say "no"' }
  const entries = [
    ['cancelled', 'Cancel requested: compaction:c-1'],
    ['cancelled', 'Cancel requested: turn:t-1'],
    ['skipped', `Question answered: ${JSON.stringify(answer)}`],
    ['cancelled', 'Cancelled by the user'],
  ] as const
  return entries.map(([outcome, reason], i) => {
    return { id: `e${seq + i}`, seq: seq + i, at: 1, type: 'attempt', outcome, reason }
  })
}
