import { type Made, NOTHING_MADE } from '../engine/context/view/made.ts'
import { itemWithoutIndex, type LiveSummary, type RenderedSummary } from '../engine/context/view/summary-item.ts'
import { liveSummaries } from '../engine/context/view/view-of.ts'
import type { Entry, EntryOf } from '../model/entry.ts'
import type { Index } from '../model/facts/log-index.ts'
import type { Seq } from '../model/ids.ts'
import type { Message } from '../model/message/message.ts'
import type { View } from '../model/view.ts'
import { asciiJson } from '../store/rows/ascii-json.ts'
import type { BadRow, Session, SessionId, Store, StoredSummary } from '../store/store.ts'
import { withFactsFromLog } from './facts-from-log.ts'

/**
 * The changes of a session, read light, with the live summaries and their facts: from what is kept beside the log, else
 * from the log. A compaction that cannot be read is left out.
 */
export async function withLiveSummaries(
  store: Store,
  { id, revision }: Pick<Session, 'id' | 'revision'>,
  light: readonly Entry[],
): Promise<LiveChanges> {
  const live = light.some(({ type }) => type === 'compaction') ? liveSummaries(light) : []
  if (live.length === 0) return { changes: light, live, made: NOTHING_MADE, bad: [], summaries: [] }
  const stored = new Map(
    (await store.summaries(id, revision)).filter(isCurrent).map((summary) => [summary.seq, summary]),
  )
  const whole = new Map<Seq, Entry>()
  const records: RenderedSummary[] = []
  const missing: Seq[] = []
  for (const summary of live) {
    const known = stored.get(summary.entry.seq)
    if (known !== undefined) {
      const record = restored(summary, known)
      records.push(record)
      whole.set(known.seq, record.live.entry)
    } else missing.push(...summary.sources.map(({ seq }) => seq))
  }
  const { entries, bad } =
    missing.length === 0 ? { entries: [], bad: [] } : await store.entries(id, { seqs: missing, only: 'changes' })
  if (bad.length > 0) {
    const unreadable = new Set(bad.map((row) => row.seq))
    const rest = light.filter((entry) => !unreadable.has(entry.seq))
    const again = await withLiveSummaries(store, { id, revision }, rest)
    return { ...again, bad: [...bad, ...again.bad] }
  }
  for (const entry of await withFactsFromLog(store, id, entries)) whole.set(entry.seq, entry)
  const changes = light.map((entry) => whole.get(entry.seq) ?? entry)
  const summaries = missing.length === 0 ? [...stored.values()] : undefined
  return { changes, live, made: { ...NOTHING_MADE, records }, bad, summaries }
}

/** The changes of a session with their live summaries, and these as they were rendered before. */
type LiveChanges = {
  readonly changes: readonly Entry[]
  readonly live: readonly LiveSummary[]
  readonly made: Made
  readonly bad: readonly BadRow[]
  /** What was kept; undefined where something was missing. */
  readonly summaries: readonly StoredSummary[] | undefined
}

/** Keeps the live summaries of a view for the next time that the log is folded or the session is opened. */
export async function keepSummaries(
  store: Store,
  id: SessionId,
  { log, view }: { readonly log: readonly Entry[]; readonly view: View },
): Promise<readonly StoredSummary[]> {
  const items = new Map(view.items.slice().map((item) => [item.seq, item]))
  // Messages make no difference to a summary, and there are many.
  const summaries = liveSummaries(log.filter(({ type }) => type !== 'message')).flatMap((summary): StoredSummary[] => {
    const { entry } = summary
    const item = items.get(entry.seq)
    if (item?.kind !== 'summary') return []
    const body: Body = { rendering: RENDERING, summary: entry.summary, text: item.text, message: item.message }
    return [{ seq: entry.seq, body: asciiJson(body), facts: asciiJson(item.index) }]
  })
  // It only saves work: a session that cannot be written to opens all the same.
  await store.keepSummaries(id, view.revision, summaries).catch(() => undefined)
  return summaries
}

/** Changes with the text of a record: what an earlier version rendered is rendered again. */
const RENDERING = 4

type Body = { readonly rendering: number; readonly summary: string; readonly text: string; readonly message: Message }

function isCurrent({ body }: StoredSummary): boolean {
  return (JSON.parse(body) as Body).rendering === RENDERING
}

/** The compaction of a stored summary. Its facts include those of all compactions that it replaced. */
function restored(live: LiveSummary, { body, facts }: StoredSummary): RenderedSummary {
  const { summary, text, message } = JSON.parse(body) as Body
  let index: Index | undefined
  // There may be many facts, and few callers read them: they are parsed on demand.
  const parsed = () => (index ??= JSON.parse(facts) as Index)
  const entry: EntryOf<'compaction'> = {
    ...live.entry,
    summary,
    get indexDelta() {
      return parsed()
    },
  }
  const sources = live.sources.map((source) => (source === live.entry ? entry : source))
  const kept = { ...live, entry, text, sources }
  const item = {
    ...itemWithoutIndex(kept, message),
    get index() {
      return parsed()
    },
  }
  return { live: kept, item }
}
