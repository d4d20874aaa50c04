import { estimatorOf } from '../../engine/context/measure/estimator-of.ts'
import { foreignCompaction, foreignFacts } from '../../formats/shared/foreign-compaction.ts'
import { Items } from '../../model/items.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import { openSession } from '../../session/open-session.ts'
import type { Store } from '../../store/store.ts'
import { sizesOf } from '../../tokens/sizes.ts'
import type { MessageStep } from '../identity/conversation.ts'
import { keptOf, type MarkedBeginning } from '../identity/marked-beginning.ts'
import type { SummarisedBeginning } from './forwarded-summary.ts'

/**
 * The beginning of a conversation that goes on from a summary of the client's own model, with that compaction in the log:
 * it is appended when the client is first seen to go on. Undefined where the session has changed meanwhile.
 */
export async function notedCompaction(
  store: Store,
  beginning: SummarisedBeginning,
  steps: readonly MessageStep[],
): Promise<MarkedBeginning | undefined> {
  const { session: id, seq: upTo, shown } = beginning
  const { session, log, view } = await openSession(store, id)
  const noted = log.find((entry) => entry.type === 'compaction' && entry.upTo === upTo && entry.summary === shown)
  if (noted !== undefined) return { ...beginning, mark: { session: id, seq: noted.seq } }
  const items = view.items.slice()
  const said = items.flatMap((item) => (item.kind === 'message' && item.seq <= upTo ? [item] : []))
  const tail = said.slice(-MOST_TAIL).map(({ message }) => message)
  const removed = said.slice(0, said.length - keptOf(beginning, steps, tail))
  const reported = log.findLast((entry) => entry.type === 'message' && entry.usage !== undefined && entry.seq <= upTo)
  const usage = reported?.type === 'message' ? reported.usage : undefined
  const draft = foreignCompaction({
    shown,
    upTo,
    keep: said.slice(removed.length).map(({ seq }) => seq),
    facts: foreignFacts(
      removed,
      items.every(({ kind }) => kind === 'message'),
    ),
    removed,
    reason: 'threshold',
    sizes: sizesOf(Items.of(said), estimatorOf(PRESETS.pith, log)),
    counted: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
  })
  const appended = await store.append(id, [draft], { revision: session.revision })
  const seq = appended.ok ? appended.entries.at(-1)?.seq : undefined
  return seq === undefined ? undefined : { ...beginning, mark: { session: id, seq } }
}

/** Clients keep a few thousand tokens of their last messages. */
export const MOST_TAIL = 200
