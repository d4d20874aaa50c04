import { estimatorOf } from '../../engine/context/measure/estimator-of.ts'
import { foreignCompaction, foreignFacts } from '../../formats/shared/foreign-compaction.ts'
import { claudeRefusal } from '../../formats/shared/user-words.ts'
import type { EntryDraft } from '../../model/entry.ts'
import type { Seq } from '../../model/ids.ts'
import { Items } from '../../model/items.ts'
import { partsOf, resultsOf, textOf } from '../../model/message/message.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import { firstWords } from '../../session/import/agent-title.ts'
import { openSession } from '../../session/open-session.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { sizesOf } from '../../tokens/sizes.ts'
import type { ChainStep, FaceAnswer, FaceRequest } from '../faces/face.ts'
import {
  chainStart,
  chainValue,
  type MessageStep,
  requestConversation,
  stepsOf,
  summaryValue,
} from '../identity/conversation.ts'
import { findPlace, type KnownPlace } from '../identity/find-place.ts'
import {
  type Beginning,
  beginningWith,
  keptOf,
  type MarkedBeginning,
  markedBeginning,
  newBehind,
  saysAgain,
} from '../identity/marked-beginning.ts'
import { type Place, type SessionEnd, SessionEnds } from './session-ends.ts'
import { toldSession } from './told-session.ts'

export type RecorderDeps = {
  readonly store: Store
  readonly owner: string
  readonly workspace: string
  /** The process that the sessions belong to while it lives. */
  readonly holder: string
  /** The key of this installation: a conversation that begins with a record of ours goes on in the record's session. */
  readonly key?: Uint8Array
}

/** Writes the conversations of clients into sessions: only what is new, and what does not go on where a session ends as a fork. */
export class SessionRecorder {
  readonly #deps: RecorderDeps
  #last: Place | undefined
  #lastSummed: { readonly place: Place; readonly text: string } | undefined
  readonly #ends = new SessionEnds()

  constructor(deps: RecorderDeps) {
    this.#deps = deps
  }

  /** Appends the messages of a request that are not in a log yet. Returns the place of its end. */
  async addRequest(read: FaceRequest): Promise<Place> {
    const { owner } = this.#deps
    const { chain, tail } = requestConversation(read, owner)
    const known = await this.#find(chain.map(({ value }) => value))
    const from = known?.known ?? 0
    const steps = from >= chain.length - tail.length ? tail : stepsOf(read, owner)
    const before = chain.length - steps.length
    const isSaidOnly = !chain.slice(0, before).some(({ usesTools }) => usesTools)
    const beginning = isSaidOnly ? await this.#beginning(steps, Math.max(0, from - before)) : undefined
    const place = beginning && (await this.#goOn(beginning, steps, read))
    if (place !== undefined) return this.#ends.note(place)
    return this.#append(
      known ?? { value: chainStart(owner, read.face) },
      steps.slice(from - before).map((step) => linkOf(step, read)),
    )
  }

  /** The end of the session that a conversation goes on from, if this gateway wrote it. The store is not asked. */
  endBefore(chain: readonly ChainStep[]): SessionEnd | undefined {
    return this.#ends.find(chain)
  }

  /** The record of ours, or the summary of the client's own model, that a conversation begins with. */
  async #beginning(steps: readonly MessageStep[], firstNew: number): Promise<MarkedBeginning | undefined> {
    const { store, owner, key } = this.#deps
    const marked = key === undefined ? undefined : markedBeginning(steps, key)
    if (marked !== undefined) return marked.at >= firstNew ? marked : undefined
    const summarised = await summarisedBeginning(store, owner, steps.slice(firstNew))
    return summarised && notedCompaction(store, { ...summarised, at: summarised.at + firstNew }, steps)
  }

  /** Goes on in the session of a record. Where others went on from the same record, this is another branch of it. */
  async #goOn(
    beginning: MarkedBeginning,
    steps: readonly MessageStep[],
    read: FaceRequest,
  ): Promise<Place | undefined> {
    const { store, owner, holder } = this.#deps
    const { session: id, seq } = beginning.mark
    const session = await store.session(id)
    // All gateways of an installation have one key, and a record may be copied: only its owner goes on from it.
    if (session?.owner !== owner) return undefined
    const { view } = await openSession(store, id)
    const later = view.items.slice().filter(({ kind, place }) => kind === 'message' && place > seq)
    const isOpen = saysAgain(
      beginning,
      steps,
      later.map(({ message }) => message),
    )
    // Also what was compacted: a client's own tail may begin before ours.
    const upTo = isOpen ? session.lastSeq : seq
    const { entries } = await store.entries(id, { only: 'messages', upTo, order: 'newest', limit: MOST_TAIL })
    const tail = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
    const links = newBehind(beginning, steps, tail).map((step) => linkOf(step, read))
    const start = { session: id, seq: isOpen ? session.lastSeq : seq, value: steps[beginning.at]?.value ?? '', isOpen }
    if (isOpen)
      await store.markChain(
        id,
        [{ value: links.length > 0 ? start.value : (steps.at(-1)?.value ?? ''), seq: start.seq }],
        holder,
      )
    return links.length > 0 ? this.#append(start, links) : { ...start, value: steps.at(-1)?.value ?? '' }
  }

  /** The end of what was summed up last, for a request that has this very summary checked. */
  summedBefore(read: FaceRequest): Place | undefined {
    if (this.#lastSummed === undefined) return undefined
    const answered = stepsOf(read, this.#deps.owner).findLast(({ message }) => message.role === 'assistant')
    const isIt = answered !== undefined && textOf(answered.message) === this.#lastSummed.text
    return isIt ? this.#lastSummed.place : undefined
  }

  /** Appends the provider's answer to a request, with its usage. */
  async addAnswer(place: Place, { message, usage }: FaceAnswer, model: string): Promise<Place> {
    const value = message === undefined ? place.value : chainValue(place.value, message)
    if (message === undefined || value === place.value) return place
    // A client that asks again may get the same answer again.
    const known = await this.#find([value])
    const end =
      known?.isOwn === true
        ? known
        : await this.#append(place, [{ draft: { type: 'message', message, usage, model }, value }])
    this.#last = end
    return end
  }

  /** Notes the summary that a client had its own model write of what stands before this place. */
  async addSummary(place: Place, { message, usage }: FaceAnswer, model: string): Promise<void> {
    const { store } = this.#deps
    const { session, seq } = place
    if (session === undefined || seq === undefined || message === undefined) return
    const text = textOf(message)
    this.#lastSummed = { place, text }
    await markSummary(store, this.#deps, { session, seq, text })
    if (usage !== undefined)
      await store.append(session, [{ type: 'void', reason: 'a summary of the agent', model, usage }])
  }

  /** The place of a conversation that a client tells as one text. */
  async toldPlace(told: string): Promise<Place | undefined> {
    const found = await toldSession(this.#deps.store, this.#deps, told, this.#last?.session)
    return found && { ...found, value: '' }
  }

  #find(values: readonly string[]): Promise<KnownPlace | undefined> {
    return findPlace(this.#deps.store, values, this.#deps.holder)
  }

  async #append(place: Place, links: readonly Link[]): Promise<Place> {
    const last = links.at(-1)
    if (last === undefined) return place
    const { store, holder } = this.#deps
    const { session, seq } = place.isOpen === true ? place : await this.#branch(place, links)
    if (session === undefined) throw new Error('unreachable: a branch is a session')
    const appended = await store.append(
      session,
      links.map(({ draft }) => draft),
      {
        chain: { holder, values: links.map(({ value }) => value) },
        guard: {
          since: seq ?? 0,
          check: (later) => (later.some(({ type }) => type === 'message') ? 'it has gone on' : undefined),
        },
      },
    )
    // Another process was faster.
    if (!appended.ok) return this.#append({ ...place, isOpen: false }, links)
    return this.#ends.note({ session, seq: appended.entries.at(-1)?.seq, value: last.value, isOpen: true }, place.value)
  }

  /** A session of its own for what follows this place: a fork where something of it is shared. */
  async #branch({ session, seq = 0, value }: Place, links: readonly Link[]): Promise<Place> {
    const { store, owner, workspace, holder } = this.#deps
    const parent = session === undefined ? undefined : { id: session, seq }
    const said = firstWords(links.flatMap(({ draft }) => (draft.type === 'message' ? [draft.message] : [])))
    // Another answer to the same words.
    const title = said ?? (parent === undefined ? undefined : (await store.session(parent.id))?.title)
    const branch = await store.createSession({ owner, workspace, title, parent })
    if (parent !== undefined) await store.markChain(branch.id, [{ value, seq }], holder)
    return { session: branch.id, seq, value, isOpen: true }
  }
}

type Link = { readonly draft: EntryDraft; readonly value: string }

/** A message of a request as an entry, with the user's words that only its client marks. */
function linkOf({ message, value }: MessageStep, { isClaudeCode }: FaceRequest): Link {
  const refused = isClaudeCode ? resultsOf(message).flatMap((result) => claudeRefusal(result)) : []
  return { draft: { type: 'message', message, ...(refused.length === 0 ? {} : { userWords: refused }) }, value }
}

/**
 * The beginning of a conversation that goes on from a summary of the client's own model, with that compaction in the log:
 * it is appended when the client is first seen to go on. Undefined where the session has changed meanwhile.
 */
async function notedCompaction(
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
const MOST_TAIL = 200

/** A conversation that goes on from a summary that the client had its own model write. */
type SummarisedBeginning = Beginning & {
  /** What was summed up: this session, up to here. */
  readonly session: SessionId
  readonly seq: Seq
  /** The summary as the client shows it. */
  readonly shown: string
}

type SummedSession = { readonly session: SessionId; readonly seq: Seq }

/** A summary is known by its longest lines. */
const MOST_LINES = 3
/** Shorter lines are no sign of anything. */
const LEAST_CHARACTERS = 20
/** No client's frame is longer. */
const MOST_LOOKS = 2_000

/** Marks what was summed up with the summary, so that every gateway on this store knows a conversation that begins with it. */
async function markSummary(
  store: Store,
  { owner, holder }: { readonly owner: string; readonly holder: string },
  { session, seq, text }: SummedSession & { readonly text: string },
): Promise<void> {
  const longest = linesOf(text.replace(/<analysis>[\s\S]*?<\/analysis>/g, ''))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_LINES)
  const marks = longest.map((line) => ({ value: summaryValue(owner, longest.length, line), seq }))
  if (marks.length > 0) await store.markChain(session, marks, holder)
}

/** The summary that a conversation begins with, before its first call. */
async function summarisedBeginning(
  store: Store,
  owner: string,
  steps: readonly MessageStep[],
): Promise<SummarisedBeginning | undefined> {
  const lines = saidLines(steps)
  const values = lines.flatMap((line) => COUNTS.map((count) => summaryValue(owner, count, line)))
  const places = values.length === 0 ? [] : await store.chainPlaces(values)
  if (places.length === 0) return undefined
  return beginningWith(steps, (text) => {
    const inText = linesOf(text)
    for (const count of COUNTS) {
      const own = new Set(inText.map((line) => summaryValue(owner, count, line)))
      const here = places.filter(({ value }) => own.has(value))
      // The newest, where one summary was written twice.
      const found = here
        .filter(({ session, seq }) => here.filter((one) => one.session === session && one.seq === seq).length === count)
        .toSorted((a, b) => b.seq - a.seq)[0]
      if (found !== undefined) return { session: found.session, seq: found.seq, shown: text }
    }
    return undefined
  })
}

const COUNTS = [3, 2, 1] as const

/** The lines that are said before the first call. */
function saidLines(steps: readonly MessageStep[]): string[] {
  const lines: string[] = []
  for (const { message } of steps)
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' || part.type === 'tool-result' || lines.length > MOST_LOOKS) return lines
      if (part.type === 'text') lines.push(...linesOf(part.text))
    }
  return lines
}

/** Clients take tags away, and put the rest into a frame: the lines stay. */
function linesOf(text: string): string[] {
  const lines = text.split(/\n|<\/?\w+>/).map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line.length >= LEAST_CHARACTERS)
}
