import { isAgentId } from '../../contract/shapes/agent-id.ts'
import { policyOf } from '../../model/policy/presets.ts'
import type { Entry, EntryDraft } from '../../model/types.ts'
import { policyOver } from '../../session/open-session.ts'
import {
  type MessageSize,
  messageSize,
  type RunningSize,
  runningSize,
  statusOfSize,
  withMessageSize,
} from '../../session/running-size.ts'
import { type AppendSizes, type Session, type SessionId, type SizesBefore, unknownSession } from '../../store/store.ts'
import type { Budget } from '../../tokens/budget.ts'
import type { Status } from '../../tokens/status.ts'
import type { ServedSession } from './live-sessions.ts'
import { isDue, measureOf, plainModel, statusFor } from './measure.ts'
import { workspaceOf } from './server-agent.ts'
import type { Services } from './services.ts'
import type { KnownStatus } from './statuses.ts'

/** The messages of a caller's own agent. */
export type MessageDraft = Extract<EntryDraft, { type: 'message' }>

/** The entries of an append, and how full the session is after it. */
export type SizedAppend = {
  readonly entries: readonly Entry[]
  readonly status: Status
  /** True when an automatic compaction would run now. */
  readonly isDue: boolean
}

/** A size is kept in the store once in this many entries. Another process that begins here counts at most these. */
const KEEP_EVERY = 64
/** A larger size is not kept: the user's settings in it may be long. */
const MOST_KEPT = 8_000

type AppendTo = { readonly id: SessionId; readonly owner: string; readonly key: string | undefined }

/**
 * Appends messages without reading the session. Only its size is in memory. The sizes of what other processes have appended
 * come back with the append itself. When the size cannot know the number (any entry that is not a message, a new scale of the
 * counts, a compaction that may be due), the view is read.
 */
export async function appendSized(
  services: Services,
  { id, owner, key }: AppendTo,
  drafts: readonly MessageDraft[],
): Promise<SizedAppend> {
  const { store, sessions, statuses, models, version } = services
  // Only the owner of this machine may read the files of its agents. This refuses all others.
  if (isAgentId(id)) return appendToView(services, await sessions.open(id, owner), { drafts, key })
  const known: KnownStatus | undefined = statuses.get(id) ?? (await store.session(id))
  if (known?.owner !== owner) throw unknownSession(id)
  const now = models.deps.clock?.() ?? Date.now()
  const sizes = drafts.map((draft) => messageSize(draft, now))
  if (!sizes.every(isKnown) || needsAgent(services, known, await sessions.held(id)))
    return appendToView(services, await sessions.open(id, owner), { drafts, key })
  const options = { key, sizes: { drafts: sizes.map((size) => sizeText(version, size)), ...toKeep(known, version) } }
  const appended = await store.append(id, drafts, options).catch((error: unknown) => {
    statuses.forget(id)
    sessions.forget(id)
    throw error
  })
  if (!appended.ok) throw new Error('unreachable: an append without conditions is not refused')
  const { entries, before } = appended
  const size = sizeAfter(known.size, before && sizesIn(before, version), sizes, entries)
  const status = size && (await statusWithout(services, size))
  if (size === undefined || status === undefined) return { entries, ...(await readView(services, id, owner)) }
  const keptUpTo = before?.kept?.upTo ?? (options.sizes.keep === undefined ? known.keptUpTo : known.size?.upTo)
  statuses.note(id, { owner, workspace: known.workspace, lastSeq: size.upTo, status, size, keptUpTo })
  return { entries, status, isDue: false }
}

async function readView(services: Services, id: SessionId, owner: string): Promise<Omit<SizedAppend, 'entries'>> {
  const served = await services.sessions.open(id, owner)
  const measure = await measureOf(services, served)
  const status = statusFor(measure)
  const isPlain = !measure.isFixedKnown && measure.pending.length === 0
  const size = isPlain ? runningSize(measure.context, served.live.log) : undefined
  const { workspace, lastSeq } = served.live.session
  services.statuses.note(id, { owner, workspace, lastSeq, status, size })
  return { status, isDue: isDue(measure, status) }
}

function isKnown(size: MessageSize | undefined): size is MessageSize {
  return size !== undefined
}

/** An agent counts its own prompt and tools, which only this process has. */
function needsAgent(services: Services, known: Pick<Session, 'workspace'>, held: ServedSession | undefined): boolean {
  return held?.agent !== undefined || workspaceOf(services, known) !== undefined
}

async function appendToView(
  services: Services,
  served: ServedSession,
  { drafts, key }: { readonly drafts: readonly MessageDraft[]; readonly key: string | undefined },
): Promise<SizedAppend> {
  const entries = await served.live.append(drafts, { key }).catch((error: unknown) => {
    services.sessions.forget(served.id)
    throw error
  })
  const measure = await measureOf(services, served)
  const status = statusFor(measure)
  return { entries, status, isDue: isDue(measure, status) }
}

/** A size as it is stored. Another version of the program may count differently, so it does not read it. */
function sizeText(version: string, size: MessageSize | RunningSize): string {
  return `${version} ${JSON.stringify(size)}`
}

function readSize<Size>(version: string, text: string | null): Size | undefined {
  // Our own program wrote it.
  return text?.startsWith(`${version} {`) ? (JSON.parse(text.slice(version.length + 1)) as Size) : undefined
}

function toKeep({ size, keptUpTo }: KnownStatus, version: string): Omit<AppendSizes, 'drafts'> {
  if (size === undefined) return {}
  const since = size.upTo
  if (keptUpTo !== undefined && since - keptUpTo < KEEP_EVERY) return { since }
  const keep = sizeText(version, size)
  return keep.length > MOST_KEPT ? { since } : { since, keep }
}

/** The sizes that an append found: the one that was kept, and those of the entries since. */
type FoundSizes = { readonly kept?: RunningSize; readonly sizes: readonly (MessageSize | undefined)[] }

function sizesIn({ kept, sizes }: SizesBefore, version: string): FoundSizes {
  return {
    kept: kept && readSize<RunningSize>(version, kept.body),
    sizes: sizes.map((size) => readSize<MessageSize>(version, size)),
  }
}

/** The size of a session after an append, if the size of everything before it is known. */
function sizeAfter(
  known: RunningSize | undefined,
  before: FoundSizes | undefined,
  added: readonly MessageSize[],
  entries: readonly Entry[],
): RunningSize | undefined {
  // Without an answer there were too many, or the append was a repetition.
  if (before === undefined) return undefined
  let size = known ?? before.kept
  for (const each of [...before.sizes, ...added]) size = size && each && withMessageSize(size, each)
  return size?.upTo === entries.at(-1)?.seq ? size : undefined
}

/** How full the session is by its size alone; undefined if a compaction may be due, or the size does not fit the model any more. */
async function statusWithout(services: Services, size: RunningSize): Promise<Status | undefined> {
  const { model, policy: own } = size.chosen
  const { chat } = await plainModel(services, model, size.model)
  const policy = policyOf(policyOver(services.settings.policy, own))
  const measured = statusOfSize(size, policy, chat.info)
  if (measured === undefined) return undefined
  const { status, budget } = measured
  const now = services.models.deps.clock?.() ?? Date.now()
  const isCold = now - (size.answeredAt ?? now) > (chat.cacheLifetimeMs ?? Number.POSITIVE_INFINITY)
  return policy.mode === 'off' || status.tokens < leastDue(budget, isCold) ? status : undefined
}

/** The fewest tokens at which a compaction can be due. Without a window there is none. */
function leastDue({ trigger, endOfWorkTrigger = trigger, coldTrigger, limit }: Budget, isCold: boolean): number {
  if (trigger === undefined) return Number.POSITIVE_INFINITY
  const least = Math.min(trigger, endOfWorkTrigger ?? trigger)
  return isCold ? Math.min(least, coldTrigger ?? trigger, limit ?? trigger) : least
}
