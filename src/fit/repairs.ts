import type { Entry, RepairChange, Seq } from '../model/types.ts'
import type { Conversation } from './state/conversation.ts'

/** A change to a message that providers would refuse. */
export type Repair = {
  /** The position of the message in the list that was passed in. A moved result is no longer there. */
  readonly index: number
  readonly change: RepairChange['op']
  /** Why it was necessary, in a few words: `the call c1 has no result`. */
  readonly why: string
}

/** The repairs in a log of a conversation, as a field of a result; none if there are none. `leading` instructions came before its messages. */
export function repairsIn(
  log: readonly Entry[],
  { seqs }: Conversation,
  leading: number,
): { readonly repairs?: readonly Repair[] } {
  const changes = log.flatMap((entry) => (entry.type === 'repair' ? entry.changes : []))
  if (changes.length === 0) return {}
  const indexes = new Map<Seq, number>(seqs.map((seq, i) => [seq, leading + i]))
  const repairs = changes.flatMap((change): Repair[] => {
    const index = indexes.get('from' in change ? change.from : change.seq)
    return index === undefined ? [] : [{ index, change: change.op, why: change.why }]
  })
  return repairs.length === 0 ? {} : { repairs: repairs.toSorted((a, b) => a.index - b.index) }
}
