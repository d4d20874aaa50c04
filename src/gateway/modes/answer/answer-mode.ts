import { randomUUID } from 'node:crypto'
import { SUMMARY_SECONDS } from '../../../config/tables/program-settings.ts'
import type { CompactInput } from '../../../engine/compact/compact.ts'
import { gatewayMakerText } from '../../../engine/report/progress-text.ts'
import { fields, text } from '../../../formats/shared/json.ts'
import type { RetryDeps } from '../../../llm/call/chat-model.ts'
import type { CompactEvent } from '../../../model/compact-result.ts'
import type { PolicyPatch } from '../../../model/policy/policy.ts'
import {
  type Item,
  type ModelInfo,
  type Seq,
  type SummaryModel,
  textOf,
  type Usage,
  type WarmModel,
} from '../../../model/types.ts'
import { compactSession } from '../../../session/compaction/compact-session.ts'
import { openSession, openUpTo, sessionContext, settingsIn } from '../../../session/open-session.ts'
import type { SessionId, Store } from '../../../store/store.ts'
import { type ByteEdit, splice, valueRange } from '../../bytes/splice.ts'
import { type CompactionAsk, lastTextOf } from '../../clients/compaction-ask.ts'
import { asksForCheck, compactRequest, recogniseCompaction } from '../../clients/recognise-compaction.ts'
import type { FaceRequest, RequestMessage } from '../../faces/face.ts'
import { renderCompactedHistory, renderCompactionItem } from '../../faces/openai-responses-face.ts'
import type { OwnAnswer, RenderedAnswer } from '../../faces/own-answer.ts'
import { faceNamed, messageValue } from '../../faces/read-request.ts'
import type { SummaryTry } from '../../recording/bill.ts'
import { lastQuoted } from '../../recording/transcript-session.ts'
import { isOwnItem, OWN_ITEM, openedItem, recordMarkIn, sealedItem, withRecordMark } from '../../records/seal.ts'
import { CHATGPT, type Upstream } from '../../upstream/upstream.ts'
import { askSummary, SILENCE_SHARE, summaryLimit, Tries } from '../ask-summary.ts'
import { type Decision, type Exchange, type Mode, unchangedWithoutHistory } from '../mode.ts'
import { answeringPolicy, recordInView } from './record-in-view.ts'

export type AnswerDeps = {
  readonly store: Store
  /** The key of this installation. */
  readonly key: Uint8Array
  readonly policy: PolicyPatch
  /** The holder of the sessions. */
  readonly holder: string
  /** The name with which this process takes leases, if that is not the holder: of all servers only one may compact a session. */
  readonly leaseHolder?: string
  /** The owner of the sessions. */
  readonly owner: string
  readonly clock: () => number
  /** The known facts about a model of an upstream. */
  readonly modelInfo: (upstream: string, model: string) => Partial<ModelInfo>
  /** The writer of summaries: the client's own model after its own request, configured models, or nobody. */
  readonly summaries: 'same-request' | 'configured' | 'none'
  readonly configured: () => Promise<readonly SummaryModel[]>
  /** How long a summary may take before the record is made from the log. */
  readonly summaryMs?: number
  /** How a summary is tried again; as every model call by default. */
  readonly retries?: RetryDeps
}

/** Answers a client's own compaction request with a record of ours, and forwards every other request. */
export function answerMode(deps: AnswerDeps): Mode {
  return { name: 'answer', decide: (exchange, signal) => decide(exchange, deps, signal) }
}

async function decide(exchange: Exchange, deps: AnswerDeps, signal: AbortSignal): Promise<Decision> {
  const { client, upstream } = exchange
  const raw = (await exchange.read()) ?? compactRequest(client)
  const unchanged = unchangedWithoutHistory(raw)
  if (unchanged !== undefined) return unchanged
  const readAs = (body: Buffer) => exchange.readAs(body) ?? compactRequest({ ...client, body })
  // The model that writes a summary cannot read our compaction items either.
  const read = raw === undefined ? undefined : withOpenedItems({ readAs }, raw, deps.key)
  const opened = read === raw ? undefined : read?.body
  const ask = recogniseCompaction(client, read)
  if (ask === undefined)
    return read === undefined ? { kind: 'forward', why: 'no conversation' } : ordinary(exchange, read, opened, deps)
  if (ask.form !== 'text' && compactsNatively(upstream))
    return { kind: 'forward', why: 'the provider compacts by itself' }
  const forward = (why: string): Decision => ({
    kind: 'forward',
    why: `the compaction of ${ask.client}: ${why}`,
    body: opened,
  })
  const part = await wantedPart(exchange, ask, read)
  if (part === undefined) return forward('its session is not known')
  if (ask.begins !== undefined && !ask.begins(await firstWords(deps.store, part.session)))
    return forward('a part of a turn, with a summary of its own for what was before')
  const asking = ask.conversation ?? read
  if (asking === undefined) throw new Error('unreachable: a compaction without a request')
  const { summaryMs = SUMMARY_SECONDS.answer * 1_000 } = deps
  const isStreamed = asking.isStream && ask.form !== 'history'
  const model = deps.modelInfo(upstream.name, asking.model)
  const isWarm = deps.summaries === 'same-request' && mayFit(asking, model.contextWindow)
  const made = await sessionRecord(deps.store, part, {
    policy: deps.policy,
    holder: deps.leaseHolder ?? deps.holder,
    clock: deps.clock,
    fixed: asking.fixed,
    focus: ask.focus,
    model,
    summaryModels: deps.summaries === 'configured' ? await deps.configured() : [],
    warm: isWarm ? warmRequest(exchange, ask, asking, { summaryMs, retries: deps.retries }) : undefined,
    recordTokens: withToolsBefore(exchange, asking).length === 0 ? OWN_SUMMARY_TOKENS : undefined,
    callSignal: summaryLimit(summaryMs),
    // A model writes now, which takes a while. If it fails, there is still the log: we answer.
    onWriting: () => isStreamed && exchange.keepAlive(faceNamed(asking.face).signOfLife),
    signal,
  })
  if (!made.ok) return forward(made.why)
  const marked = withRecordMark(made.text, { session: part.session, seq: made.seq }, deps.key)
  const answer = { ...answerTo(asking, deps), usage: made.usage }
  const rendered = renderedFor(ask, asking, { ...answer, text: ask.dressed?.(marked) ?? marked }, deps.key)
  const why = `answered the compaction of ${ask.client}, ${made.how}`
  const { usage, summaryTry } = made
  return { kind: 'answer', why, ...rendered, session: part.session, usage, summaryTry }
}

/** The second question of Gemini CLI is answered with the snapshot itself; items of ours are opened for the provider. */
function ordinary(
  exchange: Exchange,
  read: FaceRequest,
  opened: Buffer | undefined,
  { key, clock }: Pick<AnswerDeps, 'key' | 'clock'>,
): Decision {
  const snapshot = asksForCheck(read) ? snapshotOf(read) : undefined
  if (snapshot !== undefined && recordMarkIn(snapshot, key) !== undefined) {
    const answer = { ...answerTo(read, { clock }), text: snapshot }
    return { kind: 'answer', why: 'the record is complete', ...faceNamed(read.face).render(answer) }
  }
  if (opened === undefined) return { kind: 'forward', why: 'forwarded' }
  void exchange.place(read).catch(() => undefined)
  return { kind: 'forward', why: 'forwarded, with the record of its compaction item', body: opened }
}

function snapshotOf(read: FaceRequest): string | undefined {
  const { rest } = lastTextOf(read) ?? {}
  const last = rest?.messages.at(-1)
  const [messages] = last === undefined ? [] : faceNamed(read.face).messagesOf([messageValue(read, last)])
  const message = messages?.at(-1)
  return message?.role === 'assistant' ? textOf(message) : undefined
}

/** The place in the store of the conversation that shall be compacted. */
async function wantedPart(
  exchange: Exchange,
  ask: CompactionAsk,
  read: FaceRequest | undefined,
): Promise<WantedPart | undefined> {
  const transcript =
    ask.conversation === undefined ? ((read === undefined ? undefined : lastTextOf(read)?.text) ?? '') : undefined
  const place = await (transcript === undefined
    ? exchange.place(ask.conversation)
    : exchange.transcriptPlace(transcript))
  if (place?.session === undefined || place.seq === undefined) return undefined
  return { session: place.session, upTo: place.seq, transcript }
}

/** The text of the session's first message. */
async function firstWords(store: Store, session: SessionId): Promise<string> {
  const { entries } = await store.entries(session, { only: 'messages', limit: 1 })
  const [first] = entries
  return first?.type === 'message' ? textOf(first.message).trim() : ''
}

function answerTo(read: FaceRequest, { clock }: Pick<AnswerDeps, 'clock'>): Omit<OwnAnswer, 'text'> {
  return { model: read.model, isStream: read.isStream, id: randomUUID().replaceAll('-', ''), at: clock() }
}

function renderedFor(ask: CompactionAsk, read: FaceRequest, answer: OwnAnswer, key: Uint8Array): RenderedAnswer {
  switch (ask.form) {
    case 'text':
      return faceNamed(read.face).render(answer)
    case 'item':
      return renderCompactionItem({ ...answer, text: sealedItem(answer.text, key) })
    case 'history':
      return renderCompactedHistory({ ...answer, text: sealedItem(answer.text, key) })
  }
}

/**
 * The summaries that agents' own models wrote in recorded sessions have 12,000 characters. A longer record is sent with each
 * request until the next compaction, so it would cost more than the agent does alone, unless its summary costs less. The
 * frame of a record comes in addition.
 */
const OWN_SUMMARY_TOKENS = 2_600

/** True for a provider that makes compaction items itself. We leave that to the provider, because its items can be read without Pith. */
function compactsNatively({ url }: Upstream): boolean {
  return NATIVE.test(url.hostname)
}

const NATIVE = /^(?:api\.openai\.com|chatgpt\.com|.*\.openai\.azure\.com)$/

/** No tokenizer averages more tokens per byte in a conversation. */
const BYTES_A_TOKEN = 4

/** False for a request that certainly exceeds the window. In mode `rewrite` a client's own history may be that long. */
export function mayFit({ body }: Pick<FaceRequest, 'body'>, window = Number.POSITIVE_INFINITY): boolean {
  return body.length / BYTES_A_TOKEN <= window
}

/**
 * The client's own model, asked with the client's own request and our directive instead of the client's. The provider has
 * the beginning in its cache, and the client's key pays what it would have paid anyway.
 */
function warmRequest(
  exchange: Exchange,
  ask: CompactionAsk,
  read: FaceRequest,
  { summaryMs, retries }: { readonly summaryMs: number; readonly retries: RetryDeps | undefined },
): WarmModel {
  const options = { path: ask.path, silenceMs: summaryMs * SILENCE_SHARE, retries }
  return {
    name: `${exchange.upstream.name}/${read.model}`,
    isSentAnyway: true,
    stream: (directive, signal) => {
      const body = splice(read.body, [...ask.edits(directive), ...withToolsBefore(exchange, read)])
      return askSummary(exchange, read, { ...options, body, signal })
    },
  }
}

/**
 * Codex asks for a summary without its tools. Providers have the tools before the conversation, so that request is not in
 * their cache, and is billed in full. With the tools of the request before it, it is. A request that a subscription pays for
 * stays as Codex made it.
 */
function withToolsBefore({ upstream }: Exchange, { face, body, toolsBefore }: FaceRequest): ByteEdit[] {
  if (toolsBefore === undefined || face !== 'openai-responses' || upstream.name === CHATGPT) return []
  const range = valueRange(body, 0, ['tools'])
  return range === undefined ? [] : [{ ...range, text: toolsBefore }]
}

/**
 * The request with a user message instead of each of our compaction items: the message has the item's record, because no
 * provider can read the item. Returns the same request when it has no such item.
 */
function withOpenedItems(exchange: Pick<Exchange, 'readAs'>, read: FaceRequest, key: Uint8Array): FaceRequest {
  if (read.face !== 'openai-responses' || !read.body.includes(`"${OWN_ITEM}`)) return read
  const edits = read.messages.flatMap((item) => editOf(read, item, key))
  return edits.length === 0 ? read : (exchange.readAs(splice(read.body, edits)) ?? read)
}

function editOf(read: FaceRequest, item: RequestMessage, key: Uint8Array): ByteEdit[] {
  // Searching the bytes is faster than parsing all items of a long conversation.
  if (!read.body.subarray(item.start, item.end).includes(`"${OWN_ITEM}`)) return []
  const value = fields(messageValue(read, item))
  const content = COMPACTIONS.has(String(value?.type)) ? text(value?.encrypted_content) : undefined
  if (content === undefined || !isOwnItem(content)) return []
  const record = openedItem(content, key) ?? UNREADABLE
  const message = { type: 'message', role: 'user', content: [{ type: 'input_text', text: record }] }
  return [{ start: item.start, end: item.end, text: JSON.stringify(message) }]
}

const COMPACTIONS: ReadonlySet<string> = new Set(['compaction', 'compaction_summary'])

const UNREADABLE =
  'The earlier part of this conversation was compacted by another installation of Pith, and its record cannot be read here.'

/** The part of a session that a client wants to have compacted. */
type WantedPart = {
  readonly session: SessionId
  /** The last entry of it. */
  readonly upTo: Seq
  /** The transcript of the part, if the client quotes it as a text. It shows where the part ends. */
  readonly transcript?: string
}

type SessionRecordInput = Pick<
  CompactInput,
  'fixed' | 'focus' | 'model' | 'signal' | 'callSignal' | 'summaryModels' | 'warm' | 'clock' | 'recordTokens'
> & {
  readonly policy: PolicyPatch
  readonly holder: string
  /** Called when a model is asked for the summary. */
  readonly onWriting?: () => void
}

/** The record of a part of a session and its compaction entry, or why there is none. */
type SessionRecord =
  | {
      readonly ok: true
      readonly text: string
      readonly seq: Seq
      readonly how: string
      readonly usage?: Usage
      readonly summaryTry?: SummaryTry
    }
  | { readonly ok: false; readonly why: string }

/**
 * Compacts the wanted part of a session. Messages after the part stay, as if they had come during the compaction. A client
 * seldom sends its newest step for a summary: it keeps the step word for word. So the answer after the part shows which of
 * its messages were answered. Those that were not are quoted after the record. If the part was compacted before, its record comes from the log.
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
  const tries = new Tries()
  const onEvent = (event: CompactEvent) => {
    tries.onEvent(event)
    if (event.type === 'rung' && event.model !== undefined) input.onWriting?.()
  }
  const only = { open, upTo: end }
  const result = await compactSession(store, wanted.session, { ...input, ...only, policy, reason: 'manual', onEvent })
  if (!result.compacted) return { ok: false, why: result.reason }
  const made = recordInView(result.view, end)
  // Messages after the part have moved the entry to a later position.
  const entry = result.entries.findLast(({ type }) => type === 'compaction')
  if (made === undefined || entry === undefined) return { ok: false, why: 'nothing was summarised' }
  const how = gatewayMakerText({ ...result, tries: tries.count })
  const { usage } = result
  return { ok: true, text: made.text, seq: entry.seq, how, usage, summaryTry: tries.ended(result) }
}

/** The end of the part: results belong to the call before them. */
function endOf(items: readonly Item[], { upTo, transcript }: WantedPart): Seq {
  const end = (transcript === undefined ? undefined : lastQuoted(items, transcript)) ?? upTo
  const after = items.filter(({ place }) => place > end)
  const others = after.findIndex(({ message }) => message.role !== 'tool')
  return after.slice(0, others === -1 ? undefined : others).at(-1)?.place ?? end
}
