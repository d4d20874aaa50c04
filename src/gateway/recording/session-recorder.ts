import { estimatorOf, lessonOf, policyEstimator } from '../../engine/context/measure/calibration.ts'
import { type Client, UNKNOWN_CHAT, UNKNOWN_CLIENT } from '../../engine/extract/text/clients.ts'
import { foreignCompaction, foreignFacts } from '../../formats/shared/own-record.ts'
import { repliesIn, requestWords } from '../../formats/shared/user-words.ts'
import { Items } from '../../model/items.ts'
import { PRESETS } from '../../model/policy/presets.ts'
import { type ChangedCall, callsOf, type EntryDraft, partsOf, type Seq, textOf, type Usage } from '../../model/types.ts'
import { openSession } from '../../session/open-session.ts'
import { firstWords } from '../../session/session-title.ts'
import {
  type ChainPlace,
  isUnknownSession,
  type Session,
  type SessionDraft,
  type SessionId,
  SIDE_HOLDER,
  type Store,
} from '../../store/store.ts'
import { sizesOf } from '../../tokens/sizes.ts'
import type { ChainStep, FaceAnswer, FaceRequest } from '../faces/face.ts'
import {
  chainStart,
  chainValue,
  heldValue,
  type MessageStep,
  requestConversation,
  stepsOf,
  summaryValue,
} from '../identity/conversation.ts'
import { findPlace, type KnownPlace, mayContinue } from '../identity/find-place.ts'
import {
  type Beginning,
  beginningWith,
  keptOf,
  type MarkedBeginning,
  markedBeginning,
  newAfter,
  repeats,
} from '../identity/marked-beginning.ts'
import { findSameSteps, type NewStep } from '../identity/same-steps.ts'
import { FixedNotes } from './fixed-notes.ts'
import { type Place, type SessionEnd, SessionEnds } from './session-ends.ts'
import { transcriptSession } from './transcript-session.ts'

export type RecorderDeps = {
  readonly store: Store
  readonly owner: string
  readonly workspace: string
  /** The holder of the sessions: a process, while it lives, or all servers on the database. */
  readonly holder: string
  /** The key of this installation: a conversation that begins with a record of ours continues the record's session. */
  readonly key?: Uint8Array
}

/** Writes the conversations of clients into sessions: only new messages, and a fork if a conversation does not continue at a session's end. */
export class SessionRecorder {
  readonly #deps: RecorderDeps
  readonly #ends = new SessionEnds()

  readonly #fixed: FixedNotes

  constructor(deps: RecorderDeps) {
    this.#deps = deps
    this.#fixed = new FixedNotes(deps.store)
  }

  /** Appends the messages of a request that are not in a log yet. Returns the place of its end. */
  async addRequest(read: FaceRequest): Promise<Place> {
    const { owner } = this.#deps
    if (read.continues !== undefined) return this.#addContinued(read, read.continues)
    const { chain, tail } = requestConversation(read, owner)
    const start = chainStart(owner, read.face)
    const known = await this.#find(chain.map(({ value }) => value))
    const from = known?.known ?? 0
    const steps = from >= chain.length - tail.length ? tail : stepsOf(read, owner)
    const before = chain.length - steps.length
    const isBeforeTools = !chain.slice(0, before).some(({ usesTools }) => usesTools)
    const beginning = isBeforeTools ? await this.#beginning(steps, Math.max(0, from - before)) : undefined
    const place = beginning && (await this.#continueRecord(beginning, steps, read))
    if (place !== undefined) return this.#ends.note(place)
    const client = clientIn(read, chain)
    const links = steps.slice(from - before).map((step) => linkOf(step, client))
    return (await this.#appendAfterSame(known, links)) ?? this.#append(known ?? { value: start }, links)
  }

  /** Appends what comes after steps that the log has with other arguments. Undefined if there are none. */
  async #appendAfterSame(known: KnownPlace | undefined, links: readonly Link[]): Promise<Place | undefined> {
    const { store, holder } = this.#deps
    const same = known && (await findSameSteps(store, known.places, links.flatMap(newStep)))
    if (same === undefined) return undefined
    const { place, seq, count, marks, calls } = same
    const isOpen = same.isEnd && mayContinue(place.holder, holder)
    const end = { session: place.session, seq, value: links[count - 1]?.value ?? '', isOpen, marks }
    const rest = links.slice(count).map((link, i) => (i === 0 ? withCalls(link, calls) : link))
    return rest.length === 0 ? { ...end, isRepeated: true } : this.#append(end, rest)
  }

  /** Appends the messages of a request whose beginning only the provider has. If we did not see it, the new session says so. */
  async #addContinued(read: FaceRequest, id: string): Promise<Place> {
    const { store, owner } = this.#deps
    const start = heldValue(owner, id)
    const steps = stepsOf(read, owner)
    const client = clientIn(read, steps)
    const known = await this.#find([start, ...steps.map(({ value }) => value)])
    if (known === undefined) {
      const links = steps.map((step) => linkOf(step, client))
      return this.#append({ value: start }, [{ draft: { type: 'settings', beforeLog: id }, value: start }, ...links])
    }
    const named = await namedResults(store, known, steps.slice(known.known - 1))
    return this.#append(
      known,
      named.map((step) => linkOf(step, client)),
    )
  }

  /** The end of the session that a conversation continues, if this gateway wrote it. Does not read the store. */
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

  /** Continues the session of a record. If another conversation has continued it already, this is a branch of it. */
  async #continueRecord(
    beginning: MarkedBeginning,
    steps: readonly MessageStep[],
    read: FaceRequest,
  ): Promise<Place | undefined> {
    const { store, owner, holder } = this.#deps
    const { session: id, seq } = beginning.mark
    const session = await store.session(id)
    // All gateways of an installation have one key, and a record may be copied: only its owner may continue it.
    if (session?.owner !== owner) return undefined
    const { view } = await openSession(store, id)
    const later = view.items.slice().filter(({ kind, place }) => kind === 'message' && place > seq)
    const isOpen = repeats(
      beginning,
      steps,
      later.map(({ message }) => message),
    )
    // Compacted messages count, too: a client's own tail may begin before ours.
    const upTo = isOpen ? session.lastSeq : seq
    const { entries } = await store.entries(id, { only: 'messages', upTo, order: 'newest', limit: MOST_TAIL })
    const tail = entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
    const client = clientIn(read, steps)
    const links = newAfter(beginning, steps, tail).map((step) => linkOf(step, client))
    const start = { session: id, seq: isOpen ? session.lastSeq : seq, value: steps[beginning.at]?.value ?? '', isOpen }
    if (isOpen)
      await store.markChain(
        id,
        [{ value: links.length > 0 ? start.value : (steps.at(-1)?.value ?? ''), seq: start.seq }],
        holder,
      )
    return links.length > 0 ? this.#append(start, links) : { ...start, value: steps.at(-1)?.value ?? '' }
  }

  /** The place of a summary, for a request that asks to check this very summary. */
  async summedBefore(read: FaceRequest): Promise<Place | undefined> {
    const { store, owner } = this.#deps
    const answered = stepsOf(read, owner).findLast(({ message }) => message.role === 'assistant')
    const values = answered === undefined ? [] : summaryValues(owner, textOf(answered.message))
    const found = values.length === 0 ? undefined : summaryIn(await store.chainPlaces(values), values.length)
    return found && { session: found.session, seq: found.seq, value: '' }
  }

  /** Appends the provider's answer to a request, with its usage. */
  async addAnswer(place: Place, answer: FaceAnswer, model: string): Promise<Place> {
    const { message, usage, reduced } = answer
    const value = message === undefined ? place.value : chainValue(place.value, message)
    if (message === undefined || value === place.value) return this.#noteHeld(place, answer)
    // A client that asks again may get the same answer again.
    const known = await this.#find([value])
    if (known?.isOwn === true) return this.#noteHeld(await this.#countedAnswer(known, usage, model), answer)
    const draft = { type: 'message' as const, message, usage, model, reduced: reduced && [...reduced] }
    const end = await this.#append(place, [{ draft, value }])
    if (end.isRepeated) await this.#countedAnswer(end, usage, model)
    else await this.#noteCompaction(end, answer, model)
    return this.#noteHeld(end, answer)
  }

  /** The next request may have brought the answer to another server before this one recorded it. Its usage is then noted alone. */
  async #countedAnswer(place: Place, usage: Usage | undefined, model: string): Promise<Place> {
    const { session, seq } = place
    if (session === undefined || seq === undefined || usage === undefined) return place
    const { store } = this.#deps
    const { entries } = await store.entries(session, { seqs: [seq] })
    const isCounted = entries.some((entry) => entry.type === 'message' && entry.usage !== undefined)
    if (!isCounted) await store.append(session, [{ type: 'void', reason: 'an answer noted before', model, usage }])
    return place
  }

  /** Notes the sizes of the prompt and the tools that a request was sent with. */
  async addFixed({ session }: Place, { fixed }: FaceRequest): Promise<void> {
    if (session !== undefined) await this.#fixed.note(session, fixed)
  }

  /** Marks the place with the ids under which the provider has it. */
  async #noteHeld(place: Place, { heldAs = [] }: FaceAnswer): Promise<Place> {
    const { store, owner, holder } = this.#deps
    const { session, seq } = place
    if (session !== undefined && seq !== undefined && heldAs.length > 0)
      await store.markChain(
        session,
        heldAs.map((id) => ({ value: heldValue(owner, id), seq })),
        holder,
      )
    return place
  }

  /** The provider's own compaction is paid, too. */
  async #noteCompaction({ session }: Place, { compactionUsage: usage }: FaceAnswer, model: string): Promise<void> {
    if (session !== undefined && usage !== undefined)
      await this.#deps.store.append(session, [{ type: 'void', reason: 'a compaction of the provider', model, usage }])
  }

  /** Notes the summary that a client's own model wrote of the messages up to this place. */
  async addSummary(place: Place, { message, usage }: FaceAnswer, model: string): Promise<void> {
    const { store } = this.#deps
    const { session, seq } = place
    if (session === undefined || seq === undefined || message === undefined) return
    await markSummary(this.#deps, { session, seq, text: textOf(message) })
    if (usage !== undefined)
      await store.append(session, [{ type: 'void', reason: 'a summary of the agent', model, usage }])
  }

  /** Notes the tokens of an answer that was broken off. */
  async addInterrupted({ session }: Place, usage: Usage, model: string): Promise<void> {
    if (session === undefined) return
    await this.#deps.store.append(session, [{ type: 'void', reason: 'an answer that was broken off', model, usage }])
  }

  /** Notes the tokens of a request that an agent made beside its conversation. Its texts are not kept. */
  async addSide(usage: Usage, model: string): Promise<void> {
    const { store, owner, workspace } = this.#deps
    const key = `gateway side ${JSON.stringify([owner, workspace])}`
    const { id, lastSeq } = await keyedSession(store, { owner, workspace, title: 'Side requests', key })
    if (lastSeq === 0) await store.markChain(id, [], SIDE_HOLDER)
    await store.append(id, [{ type: 'void', reason: 'a side request of an agent', model, usage }])
  }

  /** The place of a conversation that a client quotes as one text. */
  async transcriptPlace(transcript: string): Promise<Place | undefined> {
    // Another server may have recorded the last answer.
    const { store, owner, holder } = this.#deps
    const { sessions } = await store.sessions({ owner, holder, limit: 1 })
    const end = await transcriptSession(this.#deps, transcript, sessions[0]?.id)
    return end && { ...end, value: '' }
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
    if (place.marks !== undefined) await store.markChain(session, place.marks, holder)
    const appended = await store.append(
      session,
      links.map(({ draft }) => draft),
      {
        chain: { holder, values: links.map(({ value }) => value) },
        guard: {
          since: seq ?? 0,
          check: (later) => (later.some(({ type }) => type === 'message') ? 'it has continued' : undefined),
        },
      },
    )
    if (!appended.ok) return this.#appendMissing(place, links)
    return this.#ends.note({ session, seq: appended.entries.at(-1)?.seq, value: last.value, isOpen: true }, place.value)
  }

  /** Another process was faster: looks for the conversation again, and appends only what is still missing. */
  async #appendMissing(place: Place, links: readonly Link[]): Promise<Place> {
    const known = await this.#find([place.value, ...links.map(({ value }) => value)])
    const isSame = known === undefined || (known.session === place.session && known.seq === place.seq)
    if (isSame) return (await this.#appendAfterSame(known, links)) ?? this.#append({ ...place, isOpen: false }, links)
    const missing = links.slice(known.known - 1)
    return missing.length === 0 ? { ...known, isRepeated: true } : this.#append(known, missing)
  }

  /** A new session for the messages after this place: a fork if a session has the messages before it. */
  async #branch({ session, seq = 0, value }: Place, links: readonly Link[]): Promise<Place> {
    const { store, owner, workspace, holder } = this.#deps
    const parent = session === undefined ? undefined : { id: session, seq }
    const words = firstWords(links.flatMap(({ draft }) => (draft.type === 'message' ? [draft] : [])))
    // Without new words of the user this is another answer to the same prompt.
    const title = words ?? (parent === undefined ? undefined : (await store.session(parent.id))?.title)
    // Two servers that get the same request at once make one session.
    const key = `gateway ${holder} ${links[0]?.value}`
    const branch = await keyedSession(store, { owner, workspace, title, parent, key })
    if (parent !== undefined) await store.markChain(branch.id, [{ value, seq }], holder)
    return { session: branch.id, seq, value, isOpen: true }
  }
}

/** The session of a key. If it was deleted and forks share its entries, its key cannot be used again. */
async function keyedSession(store: Store, draft: SessionDraft): Promise<Session> {
  return store.createSession(draft).catch((error: unknown) => {
    if (!isUnknownSession(error)) throw error
    return store.createSession({ ...draft, key: undefined })
  })
}

/** A request that has only what is new has no calls: the names of its results are in the log. */
async function namedResults(store: Store, { session, seq }: KnownPlace, steps: readonly MessageStep[]) {
  if (!steps.some(({ message }) => message.role === 'tool')) return steps
  const { entries } = await store.entries(session, { only: 'messages', upTo: seq, order: 'newest', limit: MOST_TAIL })
  const calls = entries.flatMap((entry) => (entry.type === 'message' ? callsOf(entry.message) : []))
  const names = new Map(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName]))
  return steps.map((step): MessageStep => {
    const { message } = step
    if (message.role !== 'tool') return step
    const content = message.content.map((part) =>
      part.type === 'tool-result' ? { ...part, toolName: names.get(part.toolCallId) ?? part.toolName } : part,
    )
    return { ...step, message: { ...message, content } }
  })
}

type Link = { readonly draft: EntryDraft; readonly value: string }

function newStep({ draft, value }: Link): NewStep[] {
  return draft.type === 'message' ? [{ message: draft.message, usage: draft.usage, value }] : []
}

function withCalls({ draft, value }: Link, calls: readonly ChangedCall[]): Link {
  return draft.type !== 'message' || calls.length === 0
    ? { draft, value }
    : { draft: { ...draft, calls: [...calls] }, value }
}

/** The client of a request. One that nobody knows and that has no tools may put the results of tools into the user's role. */
function clientIn({ client, fixed, toolsBefore }: FaceRequest, steps: readonly ChainStep[]): Client {
  const hasTools =
    (fixed.tools ?? []).length > 0 || toolsBefore !== undefined || steps.some(({ usesTools }) => usesTools)
  return client ?? (hasTools ? UNKNOWN_CLIENT : UNKNOWN_CHAT)
}

/** A message of a request as an entry, with the words in it that are known to be the user's. */
function linkOf({ message, value, piece }: MessageStep, client: Client): Link {
  const words = message.role === 'tool' ? repliesIn(message, client) : requestWords(message, client, piece > 0)
  return { draft: { type: 'message', message, ...words }, value }
}

/**
 * The beginning of a conversation that continues after a summary of the client's own model. The client's compaction is
 * appended to the log when the first such conversation comes.
 */
async function notedCompaction(
  store: Store,
  beginning: SummarisedBeginning,
  steps: readonly MessageStep[],
): Promise<MarkedBeginning> {
  const { session: id, seq: upTo, shown } = beginning
  const { session, log, view } = await openSession(store, id)
  const noted = log.find((entry) => entry.type === 'compaction' && entry.upTo === upTo && entry.summary === shown)
  if (noted !== undefined) return { ...beginning, mark: { session: id, seq: noted.seq } }
  const items = view.items.slice()
  const messages = items.flatMap((item) => (item.kind === 'message' && item.seq <= upTo ? [item] : []))
  const tail = messages.slice(-MOST_TAIL).map(({ message }) => message)
  const removed = messages.slice(0, messages.length - keptOf(beginning, steps, tail))
  const reported = log.findLast((entry) => entry.type === 'message' && entry.usage !== undefined && entry.seq <= upTo)
  const usage = reported?.type === 'message' ? reported.usage : undefined
  const draft = foreignCompaction({
    shown,
    by: undefined,
    upTo,
    keep: messages.slice(removed.length).map(({ seq }) => seq),
    facts: foreignFacts(removed),
    removed,
    reason: 'threshold',
    sizes: sizesOf(Items.of(messages), estimatorOf(PRESETS.pith, log)),
    around: lessonOf(log, policyEstimator(PRESETS.pith)).around,
    counted: (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0),
  })
  const appended = await store.append(id, [draft], { revision: session.revision })
  const seq = appended.ok ? appended.entries.at(-1)?.seq : undefined
  // The session has changed meanwhile: another server may have appended this very compaction.
  return seq === undefined ? notedCompaction(store, beginning, steps) : { ...beginning, mark: { session: id, seq } }
}

/** Clients keep a few thousand tokens of their last messages. */
const MOST_TAIL = 200

/** A conversation that continues after a summary of the client's own model. */
type SummarisedBeginning = Beginning & {
  /** The summary covers this session up to this entry. */
  readonly session: SessionId
  readonly seq: Seq
  /** The summary as the client shows it. */
  readonly shown: string
}

/** A summary is recognised by its longest lines. */
const MOST_LINES = 3
/** Shorter lines may appear in any text. */
const LEAST_CHARACTERS = 20
/** No client puts more lines before the first call. */
const MOST_LOOKED_UP = 2_000

/** Marks the summarised session with the summary, so that every gateway on this store recognises a conversation that begins with it. */
async function markSummary(
  { store, owner, holder }: RecorderDeps,
  { session, seq, text }: { readonly session: SessionId; readonly seq: Seq; readonly text: string },
): Promise<void> {
  const marks = summaryValues(owner, text).map((value) => ({ value, seq }))
  if (marks.length > 0) await store.markChain(session, marks, holder)
}

/** The values that a session is marked with for a summary of it. */
function summaryValues(owner: string, text: string): string[] {
  const longest = linesOf(text.replace(/<analysis>[\s\S]*?<\/analysis>/g, ''))
    .toSorted((a, b) => b.length - a.length)
    .slice(0, MOST_LINES)
  return longest.map((line) => summaryValue(owner, longest.length, line))
}

/** The place that has this many marks of one summary. If the summary was written twice, the newest. */
function summaryIn(places: readonly ChainPlace[], count: number): ChainPlace | undefined {
  return places
    .filter(({ session, seq }) => places.filter((one) => one.session === session && one.seq === seq).length === count)
    .toSorted((a, b) => b.seq - a.seq)[0]
}

/** The summary that a conversation begins with, before its first call. */
async function summarisedBeginning(
  store: Store,
  owner: string,
  steps: readonly MessageStep[],
): Promise<SummarisedBeginning | undefined> {
  const lines = linesBeforeTools(steps)
  const values = lines.flatMap((line) => COUNTS.map((count) => summaryValue(owner, count, line)))
  const places = values.length === 0 ? [] : await store.chainPlaces(values)
  if (places.length === 0) return undefined
  return beginningWith(steps, (text) => {
    const inText = linesOf(text)
    for (const count of COUNTS) {
      const own = new Set(inText.map((line) => summaryValue(owner, count, line)))
      const found = summaryIn(
        places.filter(({ value }) => own.has(value)),
        count,
      )
      if (found !== undefined) return { session: found.session, seq: found.seq, shown: text }
    }
    return undefined
  })
}

const COUNTS = [3, 2, 1] as const

/** The lines of all texts before the first call. */
function linesBeforeTools(steps: readonly MessageStep[]): string[] {
  const lines: string[] = []
  for (const { message } of steps)
    for (const part of partsOf(message)) {
      if (part.type === 'tool-call' || part.type === 'tool-result' || lines.length > MOST_LOOKED_UP) return lines
      if (part.type === 'text') lines.push(...linesOf(part.text))
    }
  return lines
}

/** Clients remove tags and put their own text around a summary, but its lines stay. */
function linesOf(text: string): string[] {
  const lines = text.split(/\n|<\/?\w+>/).map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line.length >= LEAST_CHARACTERS)
}
