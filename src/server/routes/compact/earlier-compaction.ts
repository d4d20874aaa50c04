import type { Agent } from '../../../agent/agent.ts'
import { agentInput } from '../../../agent/compaction/compact-now.ts'
import { untouched } from '../../../engine/compact/compact.ts'
import { focusOf } from '../../../engine/compact/compaction-draft.ts'
import { previewOf } from '../../../engine/compact/preview.ts'
import { statusOf } from '../../../engine/context/status-of.ts'
import { REDACTED } from '../../../engine/context/view/rewrite-message.ts'
import { viewOf } from '../../../engine/context/view/view-of.ts'
import { pathsOf } from '../../../engine/extract/paths-of.ts'
import type { Entry, EntryOf, Reason } from '../../../model/entry.ts'
import { messagesOf } from '../../../model/view.ts'
import { settingsIn } from '../../../session/session-context.ts'
import { compactionsOf, stateBesideStatus } from '../../../session/session-state.ts'
import type { Store } from '../../../store/store.ts'
import { otherBody } from '../../http/same-request.ts'
import type { Services } from '../../sessions/services.ts'
import type { CompactionFacts } from './wire-compaction.ts'

type CompactionCall = { readonly key: string | undefined; readonly reason: Reason; readonly focus: string | undefined }

/** What a compaction with this key came to, whichever process did it, made again from the log; nothing if none did. */
export async function earlierCompaction(
  { store }: Services,
  agent: Agent,
  { key, reason, focus }: CompactionCall,
): Promise<CompactionFacts | undefined> {
  const entries = key === undefined ? undefined : await store.appended(agent.live.id, key)
  if (entries === undefined) return undefined
  const hasHook = agent.deps.hooks?.beforeCompaction !== undefined
  if (entries.some((entry) => entry.type === 'compaction' && !isSameFocus(entry, focusOf(focus), hasHook)))
    throw otherBody()
  const last = entries.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
  return last === undefined ? nothingDone(agent, entries) : done(store, agent, { entries, last, reason })
}

/** A hook has put its own text behind the focus, and a redaction has taken all of it out. */
function isSameFocus(entry: EntryOf<'compaction'>, focus: string | undefined, hasHook: boolean): boolean {
  if (entry.focus === focus || entry.focus === REDACTED) return true
  return hasHook && entry.focus !== undefined && (focus === undefined || entry.focus.startsWith(`${focus}\n`))
}

async function done(
  store: Store,
  agent: Agent,
  { entries, last, reason }: { readonly entries: readonly Entry[]; readonly last: Entry; readonly reason: Reason },
): Promise<CompactionFacts> {
  // As it was then: what was taken back since is in it.
  const log = (await store.entries(agent.live.id, { upTo: last.seq })).entries
  const view = viewOf(log)
  const counting = { model: agent.info, policy: agent.policyPatch, fixed: agent.fixed() }
  const { files } = stateBesideStatus({ log, view })
  const before = log.filter(({ seq }) => seq < (entries[0]?.seq ?? last.seq))
  const summary = entries.find((entry) => entry.type === 'compaction')
  const { usage, cost, refusal } = compactionsOf(entries)[0] ?? {}
  const counted = entries.flatMap((entry) => (entry.type === 'compaction' || entry.type === 'mask' ? [entry] : []))
  return {
    outcome: 'compacted',
    compacted: true,
    reason: summary?.reason ?? reason,
    messages: messagesOf(view),
    tokensBefore: counted[0]?.tokensBefore ?? statusOf(before, counting).tokens,
    tokensAfter: counted.at(-1)?.tokensAfter ?? statusOf(log, counting).tokens,
    messagesRemoved: summary?.messages ?? 0,
    summary: summary?.summary,
    cut:
      summary &&
      viewOf(before)
        .items.slice()
        .filter(({ place }) => place <= summary.upTo).length,
    rung: summary?.rung ?? (last.type === 'mask' ? 'mask' : 'squeeze'),
    model: summary?.model,
    usage,
    cost,
    refusal,
    flagged: summary?.flagged,
    readFiles: pathsOf(files, 'read'),
    modifiedFiles: pathsOf(files, 'modified'),
    entries,
  }
}

/** It was cancelled, or there was nothing to do: the context of then is that of now, as far as this is concerned. */
function nothingDone(agent: Agent, entries: readonly Entry[]): CompactionFacts {
  const input = agentInput(agent, { reason: 'manual' })
  const now = agent.live.context(settingsIn(input))
  const context = { ...untouched(now, input), entries }
  const attempt = entries.findLast((entry) => entry.type === 'attempt')
  if (attempt?.outcome === 'cancelled') return { ...context, outcome: 'cancelled', reason: attempt.reason }
  if (attempt !== undefined) return { ...context, outcome: 'skipped', skip: 'superseded', reason: attempt.reason }
  const plan = previewOf(now, input)
  if (plan.kind === 'keep') return { ...context, outcome: 'skipped', skip: plan.skip, reason: plan.reason }
  return { ...context, outcome: 'skipped', skip: 'nothing-new', reason: 'There was nothing to compact' }
}
