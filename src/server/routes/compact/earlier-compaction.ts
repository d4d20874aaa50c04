import type { WireCompactResult } from '../../../contract/shapes.ts'
import { preview } from '../../../engine/compact/preview.ts'
import { pathsOf } from '../../../engine/facts/files.ts'
import { statusOf } from '../../../engine/measure/status-of.ts'
import { viewOf } from '../../../engine/view/view.ts'
import type { Entry } from '../../../model/entry.ts'
import { messagesOf } from '../../../model/view.ts'
import { stateOf } from '../../../session/state.ts'
import type { Services } from '../../services.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { type Measure, measureOf } from '../sessions/session-report.ts'
import { type CompactionFacts, wireResult } from './wire-compaction.ts'

type Asked = { readonly id: string; readonly key: string | undefined; readonly reason: 'manual' | 'threshold' }

/** What a compaction with this key came to, whichever process did it, made again from the log; nothing if none did. */
export async function earlierCompaction(
  services: Services,
  served: ServedSession,
  { id, key, reason }: Asked,
): Promise<WireCompactResult | undefined> {
  const entries = key === undefined ? undefined : await services.store.appended(served.id, key)
  if (entries === undefined) return undefined
  const measure = await measureOf(services, served)
  const last = entries.findLast(({ type }) => type === 'compaction' || type === 'mask' || type === 'squeeze')
  const facts =
    last === undefined
      ? nothingDone(served, measure, entries)
      : { ...(await done(services, served, measure, entries, last)), reason: reasonIn(entries) ?? reason }
  return wireResult(id, facts)
}

async function done(
  { store }: Services,
  { id }: ServedSession,
  measure: Measure,
  entries: readonly Entry[],
  last: Entry,
): Promise<Omit<CompactionFacts, 'reason'>> {
  // As it was then: what was taken back since is in it.
  const log = (await store.entries(id, { upTo: last.seq })).entries
  const view = viewOf(log)
  const counting = { model: measure.model.info, policy: measure.policy, fixed: measure.fixed }
  const { files } = stateOf({ log, view }, counting)
  const before = log.filter(({ seq }) => seq < (entries[0]?.seq ?? last.seq))
  const summary = entries.find((entry) => entry.type === 'compaction')
  const counted = entries.flatMap((entry) => (entry.type === 'compaction' || entry.type === 'mask' ? [entry] : []))
  return {
    outcome: 'compacted',
    compacted: true,
    messages: messagesOf(view),
    tokensBefore: counted[0]?.tokensBefore ?? statusOf(before, counting).tokens,
    tokensAfter: counted.at(-1)?.tokensAfter ?? statusOf(log, counting).tokens,
    messagesRemoved: summary?.messages ?? 0,
    summary: summary?.summary ?? '',
    rung: summary?.rung ?? (last.type === 'mask' ? 'mask' : 'squeeze'),
    ...(summary?.model === undefined ? {} : { model: summary.model }),
    ...(summary?.usage === undefined ? {} : { usage: summary.usage }),
    ...(summary?.cost === undefined ? {} : { cost: summary.cost }),
    ...(summary?.flagged === undefined ? {} : { flagged: summary.flagged }),
    readFiles: pathsOf(files, 'read'),
    modifiedFiles: pathsOf(files, 'modified'),
    entries,
  }
}

/** It was cancelled, or there was nothing to do: the context of then is that of now, as far as this is concerned. */
function nothingDone({ live }: ServedSession, measure: Measure, entries: readonly Entry[]): CompactionFacts {
  const { model, policy, fixed, pending } = measure
  const { status, files } = stateOf(live, { model: model.info, policy, fixed })
  const attempt = entries.findLast((entry) => entry.type === 'attempt')
  const plan = preview({ log: live.log, view: live.view, policy, model: model.info, fixed, pending })
  return {
    outcome: attempt?.outcome === 'cancelled' ? 'cancelled' : 'skipped',
    compacted: false,
    reason: attempt?.reason ?? (plan.kind === 'keep' ? plan.reason : 'There was nothing to compact'),
    ...(attempt === undefined && plan.kind === 'keep' ? { skip: plan.skip } : {}),
    messages: messagesOf(live.view),
    tokensBefore: status.tokens,
    tokensAfter: status.tokens,
    messagesRemoved: 0,
    summary: '',
    readFiles: pathsOf(files, 'read'),
    modifiedFiles: pathsOf(files, 'modified'),
    entries,
  }
}

function reasonIn(entries: readonly Entry[]): CompactionFacts['reason'] | undefined {
  const entry = entries.find(({ type }) => type === 'compaction')
  return entry?.type === 'compaction' ? entry.reason : undefined
}
