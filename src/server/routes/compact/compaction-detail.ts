import { roomIn } from '../../../agent/pin-message.ts'
import type {
  WireCompactionDetail,
  WireFact,
  WireLoss,
  WireLostMessage,
} from '../../../contract/shapes/compaction-shapes.ts'
import { wireMessages } from '../../../contract/shapes/wire.ts'
import { inactiveSeqs } from '../../../engine/context/view/activity.ts'
import { replacedBy, standsForOf } from '../../../engine/context/view/replaced-range.ts'
import { liveSummaries, viewOf } from '../../../engine/context/view/view-of.ts'
import { type PutBackRoom, putBackExcess } from '../../../engine/plan/bounds.ts'
import { notBackText } from '../../../engine/report/change-text.ts'
import { withoutFolder } from '../../../engine/report/item-names.ts'
import { lossText } from '../../../engine/report/loss-text.ts'
import { todosOf } from '../../../model/facts/log-index.ts'
import { type Entry, type EntryOf, type IndexDelta, type Item, type Seq, textOf } from '../../../model/types.ts'
import { wholeLog } from '../../../session/entries-in.ts'
import { compactionsOf } from '../../../session/session-state.ts'
import { type LostMessage, lostMessages } from '../../../study/loss/lost-messages.ts'
import { type Estimator, itemTokens } from '../../../tokens/estimate/estimator.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ServedSession } from '../../sessions/live-sessions.ts'
import { measureOf } from '../../sessions/measure.ts'
import { placed } from '../../sessions/placed-entries.ts'
import type { Services } from '../../sessions/services.ts'
import { wireCompaction } from './wire-compaction.ts'

/** One compaction: a page of the messages before it, and the record that replaced them. */
export async function compactionDetail(
  services: Services,
  served: ServedSession,
  seq: Seq,
  page: { readonly after: Seq; readonly limit: number },
): Promise<WireCompactionDetail> {
  const { live } = served
  const { row, entry } = await compactionAt(services, served, seq)
  const before = await entriesBefore(services, served, entry, page)
  const edit = lastEdit(served, seq)
  const after = await itemsAfter(services, served, entry)
  return {
    ...wireCompaction(row),
    from: Math.max(1, entry.from),
    up_to: entry.upTo,
    stands_for: standsForOf(entry),
    keep: entry.keep,
    summary: edit?.summary ?? entry.summary,
    record: recordAfter(live, after, seq),
    earlier: await earlierRecord(services, served, entry),
    edited: edit !== undefined,
    focus: entry.focus,
    flagged: entry.flagged ?? [],
    facts: factsOf(entry.indexDelta),
    before: await placed(services, served, before),
    before_total: entry.messages,
    after: wireMessages(after.map(({ message }) => message)),
  }
}

/** A compaction of the log: its row in the list of compactions, and its entry. */
async function compactionAt({ store }: Services, { live }: ServedSession, seq: Seq) {
  const row = compactionsOf(live.log).find((each) => each.seq === seq)
  const [entry] = (await store.entries(live.id, { seqs: [seq] })).entries
  if (row === undefined || entry?.type !== 'compaction')
    throw new HttpError(404, 'unknown-entry', `session ${live.id} has no compaction #${seq}`)
  return { row, entry }
}

/** The record that the model reads instead of the messages: the current one, or that right after the compaction if another one came since. */
function recordAfter({ view }: ServedSession['live'], after: readonly Item[], seq: Seq): string {
  return recordIn(view.items.slice(), seq) ?? recordIn(after, seq) ?? ''
}

/**
 * A page of the view's entries in the range just before the compaction: earlier summaries first, then the messages that
 * none of them covers.
 */
async function entriesBefore(
  { store }: Services,
  { id, live }: ServedSession,
  { seq, from, upTo, keep }: EntryOf<'compaction'>,
  { after, limit }: { readonly after: Seq; readonly limit: number },
): Promise<Entry[]> {
  const earlier = summariesBefore(live, { seq, upTo })
  const covered = earlier.map((each) => replacedBy(each))
  const first = earlier.reduce((at, each) => (each.from <= at ? Math.max(at, each.upTo + 1) : at), Math.max(from, 1))
  const range = { from: Math.max(first, after + 1), upTo, only: 'messages', limit } as const
  const messages = (await store.entries(id, range)).entries.filter(
    (each) => !keep.includes(each.seq) && !covered.some((isOut) => isOut(each.seq)),
  )
  if (after > 0) return messages
  const kept = earlier.flatMap((each) => each.keep).filter((at) => at < first && !keep.includes(at))
  const seqs = [...earlier.map((each) => each.seq), ...kept]
  const earlierEntries = seqs.length === 0 ? [] : (await store.entries(id, { seqs })).entries
  // The summaries come first, as in the view.
  return [
    ...earlierEntries.filter(({ type }) => type === 'compaction'),
    ...earlierEntries.filter(({ type }) => type === 'message'),
    ...messages,
  ]
}

/** The compactions whose records a later one replaced. */
function summariesBefore(
  { log }: ServedSession['live'],
  { seq, upTo }: Pick<EntryOf<'compaction'>, 'seq' | 'upTo'>,
): EntryOf<'compaction'>[] {
  return liveSummaries(log.filter((entry) => entry.type !== 'message' && entry.seq < seq))
    .map(({ entry }) => entry)
    .filter((entry) => entry.from <= upTo)
}

async function earlierRecord(services: Services, served: ServedSession, entry: EntryOf<'compaction'>) {
  const last = summariesBefore(served.live, entry).at(-1)
  if (last === undefined) return undefined
  return { seq: last.seq, record: recordIn(await itemsAfter(services, served, last), last.seq) ?? '' }
}

function lastEdit({ live }: ServedSession, of: Seq): EntryOf<'edit'> | undefined {
  const inactive = inactiveSeqs(live.log)
  const edit = live.log.findLast((entry) => entry.type === 'edit' && entry.of === of && !inactive.has(entry.seq))
  return edit?.type === 'edit' ? edit : undefined
}

function recordIn(items: readonly Item[], seq: Seq): string | undefined {
  const item = items.find((each) => each.kind === 'summary' && each.seq === seq)
  return item === undefined ? undefined : textOf(item.message)
}

/** The items that replaced the range in the view right after the compaction. */
async function itemsAfter({ store }: Services, { id }: ServedSession, entry: EntryOf<'compaction'>): Promise<Item[]> {
  const pages = await Promise.all([
    store.entries(id, { upTo: entry.seq, only: 'changes' }),
    store.entries(id, { upTo: Math.max(0, entry.from - 1), only: 'messages' }),
    store.entries(id, { seqs: entry.keep, only: 'messages' }),
  ])
  const log = pages.flatMap((page) => page.entries).toSorted((a, b) => a.seq - b.seq)
  const { items } = viewOf(log)
  return items.slice().filter((item) => item.place <= entry.upTo)
}

/** The facts of a span, each with the entries it came from. */
function factsOf(delta: IndexDelta): WireFact[] {
  const { files = [], commands = [], errors = [], users = [], constraints = [], identifiers = [], todos = [] } = delta
  const { inRole = [], instructions = [], printed = [] } = delta
  return [
    ...files.map(({ path, access, seq, modified, deleted, reverted }) =>
      fact('file', path, access, seq, modified, deleted, reverted),
    ),
    ...commands.map(({ command, seq, runs, ok, exit }) =>
      fact(
        'command',
        command,
        `${runs} ×${ok === undefined ? '' : ok ? ', passed' : `, failed${exit === undefined ? '' : ` (${exit})`}`}`,
        seq,
      ),
    ),
    ...errors.map(({ text, command, path, seq, call }) => fact('error', text, command ?? path, seq, call)),
    ...users.map(({ text, seq }) => fact('user', text, undefined, seq)),
    ...inRole.map(({ text, seq }) => fact('printed', text, "in the user's role", seq)),
    ...instructions.map(({ text, seq }) => fact('constraint', text, 'system', seq)),
    ...constraints.map(({ text, seq }) => fact('constraint', text, undefined, seq)),
    ...identifiers.map(({ kind, text, seq }) => fact('identifier', text, kind, seq)),
    ...printed.map(({ text, file, seq }) => fact('printed', text, file, seq)),
    ...todosOf({ todos }).map(({ text, status }) => fact('todo', text, status, todos.at(-1)?.seq ?? 0)),
  ]
}

function fact(
  kind: WireFact['kind'],
  text: string,
  detail: string | undefined,
  ...seqs: readonly (Seq | undefined)[]
): WireFact {
  const from = [...new Set(seqs.filter((seq) => seq !== undefined))]
  return { kind, text, detail, seqs: from }
}

/** The messages that a compaction lost, the first `limit` of them. It reads the whole log. */
export async function lossOf(services: Services, served: ServedSession, seq: Seq, limit: number): Promise<WireLoss> {
  const { live, id } = served
  const { row, entry: compaction } = await compactionAt(services, served, seq)
  if (row.undone) return { total: 0, tokens: 0, earlier: 0, messages: [] }
  const { room, estimator } = roomIn((await measureOf(services, served)).agent)
  const log = await wholeLog(services.store, id)
  const record = recordAfter(live, await itemsAfter(services, served, compaction), seq)
  const share = countedShare(log, compaction, estimator)
  const lost = lostMessages({ log, compaction, record, estimator }).map((one) => ({
    ...one,
    tokens: Math.floor(one.tokens * share),
  }))
  const own = lost.filter(({ since }) => since === undefined)
  return {
    total: lost.length,
    tokens: own.reduce((sum, { tokens }) => sum + tokens, 0),
    earlier: lost.length - own.length,
    messages: lost.slice(0, limit).map((one) => wireLost(one, room, live.session.workspace)),
  }
}

/** If our estimate of a context is above the size that the compaction counted, its messages are scaled to that size. */
function countedShare(
  log: readonly Entry[],
  { seq, tokensBefore }: EntryOf<'compaction'>,
  estimator: Estimator,
): number {
  const { items } = viewOf(log.filter((entry) => entry.seq < seq))
  return Math.min(1, tokensBefore / Math.max(1, itemTokens(items, 0, items.length, estimator)))
}

function wireLost(lost: LostMessage, room: PutBackRoom, folder: string): WireLostMessage {
  const { seq, role, tokens, stepTokens, since } = lost
  const excess = putBackExcess(stepTokens, room)
  return {
    seq,
    role,
    name: withoutFolder(lost.name, folder),
    tokens,
    first_line: lost.firstLine,
    why: lost.reasons.map((reason) => withoutFolder(lossText(reason), folder)),
    since,
    step: [...lost.step],
    step_tokens: stepTokens,
    does_not_fit: excess && notBackText(seq, excess),
  }
}
