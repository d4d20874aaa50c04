import { viewOf } from '../engine/context/view/view-of.ts'
import { legalCuts } from '../engine/plan/cut-rules.ts'
import { stepAround } from '../engine/plan/pinned.ts'
import { PithError } from '../model/problems/errors.ts'
import type { Drift, Entry, EntryDraft, Message, Seq } from '../model/types.ts'
import type { AppendResult, SessionId, Store } from '../store/store.ts'

/** A message of the log with the messages that cannot be separated from it: a call and its results. */
export type LoggedStep = { readonly target: Seq; readonly seqs: readonly Seq[]; readonly messages: readonly Message[] }

/** A call and its results are close together in the log. */
const AROUND = 100

/** The step of a message, anywhere in the log. */
export async function loggedStep(store: Store, id: SessionId, target: Seq): Promise<LoggedStep> {
  const range = { from: Math.max(1, target - AROUND), upTo: target + AROUND }
  const [messages, changes] = await Promise.all([
    store.entries(id, { ...range, only: 'messages' }),
    store.entries(id, { only: 'changes', light: true }),
  ])
  const view = viewOf(inOrder([...messages.entries, ...repairsIn(changes.entries)]))
  const items = view.items.slice()
  const place = items.findIndex(({ seq }) => seq === target)
  if (place === -1) throw new PithError('unknown-entry', `session ${id} has no message #${target}`)
  const { from, to } = stepAround(place, items.length, legalCuts(view))
  const step = items.slice(from, to)
  return { target, seqs: [...new Set(step.map(({ seq }) => seq))], messages: step.map(({ message }) => message) }
}

/** Puts a step back into the view. It then stays through every later compaction. `superseded`: the view has changed meanwhile. */
export function putBack(
  store: Store,
  id: SessionId,
  { target, seqs }: LoggedStep,
  { revision, drift }: { readonly revision: Seq; readonly drift?: Drift | undefined },
): Promise<AppendResult> {
  const draft: EntryDraft = {
    type: 'pin',
    target,
    on: true,
    back: [...seqs],
    drift,
  }
  return store.append(id, [draft], { revision })
}

/** Repairs need no check for undos, because a repair cannot be undone. */
function repairsIn(changes: readonly Entry[]): Entry[] {
  return changes.filter(({ type }) => type === 'repair')
}

function inOrder(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => a.seq - b.seq)
}
