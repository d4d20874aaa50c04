import type { CompactInput } from '../../../engine/compact/compact.ts'
import { serializeAll } from '../../../engine/record/serialize.ts'
import type { Seq } from '../../../model/ids.ts'
import { textOf } from '../../../model/message.ts'
import type { PolicyPatch, Rung } from '../../../model/policy.ts'
import { policyOf } from '../../../model/presets.ts'
import type { Usage } from '../../../model/usage.ts'
import type { View } from '../../../model/view.ts'
import { compactSession } from '../../../session/compact-session.ts'
import { openSession } from '../../../session/open-session.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { lastTold } from './last-told.ts'

/** The part of a session that a client wants to have compacted. */
export type WantedPart = {
  readonly session: SessionId
  /** The last entry of it. */
  readonly upTo: Seq
  /** The part as the client told it, where that is a text: its end is then looked for. */
  readonly told?: string
}

export type RecordInput = Pick<
  CompactInput,
  'fixed' | 'focus' | 'model' | 'signal' | 'summaryModels' | 'warm' | 'clock'
> & {
  readonly policy: PolicyPatch
  readonly holder: string
}

/** The record of a part of a session, and the compaction that it stands for; or why there is none. */
export type SessionRecord =
  | { readonly ok: true; readonly text: string; readonly seq: Seq; readonly how: string; readonly usage?: Usage }
  | { readonly ok: false; readonly why: string }

/**
 * Compacts the session so that the wanted part is in the record, and what stands behind it stays. What the engine does not
 * put into a record, because no model has answered it yet, is told behind it. A part that was compacted before is answered
 * from the log.
 */
export async function sessionRecord(store: Store, wanted: WantedPart, input: RecordInput): Promise<SessionRecord> {
  const open = await openSession(store, wanted.session)
  const items = open.view.items.slice()
  const end = (wanted.told === undefined ? undefined : lastTold(items, wanted.told)) ?? wanted.upTo
  const known = recordIn(open.view, end)
  if (known !== undefined) return { ...known, how: 'from the log, as before' }
  const behind = items.filter(({ place }) => place > end).length
  const policy = answeringPolicy(input.policy, behind)
  const result = await compactSession(store, wanted.session, { ...input, open, policy, reason: 'manual' })
  if (!result.compacted) return { ok: false, why: result.reason }
  const made = recordIn(result.view, Math.min(end, result.view.lastSeq), true)
  if (made === undefined) return { ok: false, why: 'nothing was summarised' }
  return { ...made, how: HOW[result.rung], usage: result.usage }
}

const HOW: Readonly<Record<Rung, string>> = {
  warm: 'by the model behind its own request',
  cold: 'by the configured model',
  digest: 'from the log, without a model',
  mask: 'masked',
  squeeze: 'shortened',
}

/** Nothing is masked or shortened in a record for others, and there is always one. */
function answeringPolicy(patch: PolicyPatch, keepMessages: number): PolicyPatch {
  const asked = policyOf(patch).rungs.filter((rung) => rung === 'warm' || rung === 'cold')
  return { ...patch, keepMessages, keepLatestMessage: false, rungs: [...asked, 'digest'] }
}

/** The record at the beginning of a view with what else belongs to the part; undefined when more than the unanswered is missing from it. */
function recordIn(view: View, end: Seq, isMade = false): { ok: true; text: string; seq: Seq } | undefined {
  const [first, ...rest] = view.items.slice()
  if (first?.kind !== 'summary') return undefined
  const missing = rest.filter(({ place }) => place <= end)
  if (missing.length > 0 && !isMade) return undefined
  const told = serializeAll(
    missing.map(({ message }) => message),
    { cutCharacters: MOST_TOLD },
  )
  const text = told === '' ? textOf(first.message) : `${textOf(first.message)}\n\n${BEHIND}\n\n${told}`
  return { ok: true, text, seq: first.seq }
}

const MOST_TOLD = 20_000
const BEHIND = 'Behind the record came this, which nobody has answered yet:'
