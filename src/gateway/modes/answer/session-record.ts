import type { CompactInput } from '../../../engine/compact/compact.ts'
import { viewOf } from '../../../engine/context/view/view-of.ts'
import { gatewayMakerText } from '../../../engine/report/progress-text.ts'
import type { Seq } from '../../../model/ids.ts'
import type { PolicyPatch } from '../../../model/policy/policy.ts'
import type { Usage } from '../../../model/provider/usage.ts'
import type { Item } from '../../../model/view.ts'
import { compactSession } from '../../../session/compaction/compact-session.ts'
import { type OpenSession, openSession } from '../../../session/open-session.ts'
import { sessionContext, settingsIn } from '../../../session/session-context.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { lastTold } from '../../recording/last-told.ts'
import { answeringPolicy, recordInView } from './record-in-view.ts'

/** The part of a session that a client wants to have compacted. */
export type WantedPart = {
  readonly session: SessionId
  /** The last entry of it. */
  readonly upTo: Seq
  /** The part as the client told it, where that is a text: its end is then looked for. */
  readonly told?: string
}

export type SessionRecordInput = Pick<
  CompactInput,
  'fixed' | 'focus' | 'model' | 'signal' | 'callSignal' | 'summaryModels' | 'warm' | 'clock'
> & {
  readonly policy: PolicyPatch
  readonly holder: string
}

/** The record of a part of a session, and the compaction that it stands for; or why there is none. */
export type SessionRecord =
  | { readonly ok: true; readonly text: string; readonly seq: Seq; readonly how: string; readonly usage?: Usage }
  | { readonly ok: false; readonly why: string }

/**
 * Compacts the wanted part of a session; what stands behind it stays, as if it had been said meanwhile. What the engine does
 * not put into a record, because no model has answered it yet, is told behind it. A part that was compacted before is
 * answered from the log.
 */
export async function sessionRecord(
  store: Store,
  wanted: WantedPart,
  input: SessionRecordInput,
): Promise<SessionRecord> {
  const whole = await openSession(store, wanted.session)
  const end = endOf(whole.view.items.slice(), wanted)
  const known = recordInView(whole.view, end)
  if (known !== undefined && end < known.seq)
    return { ok: true, text: known.text, seq: known.seq, how: 'from the log, as before' }
  const part = openUpTo(whole, end)
  const context = sessionContext(part, settingsIn(input))
  const open = { ...part, context }
  const policy = answeringPolicy(input.policy, context.policy.rungs)
  const result = await compactSession(store, wanted.session, { ...input, open, policy, reason: 'manual' })
  if (!result.compacted) return { ok: false, why: result.reason }
  const made = recordInView(result.view, end)
  // Messages behind the part have moved the entry to a later place.
  const entry = result.entries.findLast(({ type }) => type === 'compaction')
  if (made === undefined || entry === undefined) return { ok: false, why: 'nothing was summarised' }
  return { ok: true, text: made.text, seq: entry.seq, how: gatewayMakerText(result.rung), usage: result.usage }
}

/** The end of the part: results belong to the call before them. */
function endOf(items: readonly Item[], { upTo, told }: WantedPart): Seq {
  const end = (told === undefined ? undefined : lastTold(items, told)) ?? upTo
  const behind = items.filter(({ place }) => place > end)
  const others = behind.findIndex(({ message }) => message.role !== 'tool')
  return behind.slice(0, others === -1 ? undefined : others).at(-1)?.place ?? end
}

/** The session as it was when this entry was its last. */
function openUpTo({ session, log, bad }: OpenSession, end: Seq): OpenSession {
  const before = log.filter(({ seq }) => seq <= end)
  return { session: { ...session, lastSeq: end }, log: before, view: viewOf(before), bad }
}
