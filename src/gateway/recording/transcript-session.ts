import { setImmediate as nextTurn } from 'node:timers/promises'
import { typedText } from '../../engine/extract/text/typed-words.ts'
import { type Item, jsonText, type Message, outputText, partsOf, type Seq, textOf } from '../../model/types.ts'
import { openSession, peekSession } from '../../session/open-session.ts'
import type { SessionId, Store } from '../../store/store.ts'
import type { RecorderDeps } from './session-recorder.ts'

/** A session and its current end. */
type TranscriptSession = { readonly session: SessionId; readonly seq: Seq }

/**
 * The session of a transcript that a client quotes inside a request. We find it by our record in the transcript, or else by
 * the user's messages that it quotes: in a long turn there may be no message of the user after the record.
 *
 * A session is left out if the transcript quotes only some of it, and quotes all of that and more from another session: then
 * it is a fork, or a request for a title. Of the others we take the one that was answered last, unless the transcript quotes
 * clearly more of another one: a sub-agent answers while the agent that called it waits.
 */
export async function transcriptSession(
  { store, owner, workspace, holder }: RecorderDeps,
  text: string,
  last: SessionId | undefined,
): Promise<TranscriptSession | undefined> {
  // People write the same words in other projects. A session from elsewhere that is resumed here has this gateway as its holder.
  const here = await store.sessions({ owner, workspace, limit: MOST_SESSIONS })
  const held = await store.sessions({ owner, holder, limit: MOST_SESSIONS })
  const known = [...here.sessions, ...held.sessions].map(({ id }) => id)
  const ids = new Set(last === undefined ? known : [last, ...known])
  const transcript = readTranscript(text)
  const candidates: Candidate[] = []
  for (const session of ids) {
    // Ten long sessions take a while, and other requests wait meanwhile.
    await nextTurn()
    const { view } = await peekSession(store, session)
    const items = view.items.slice()
    const hasRecord = items.some((item) => isQuotedRecord(item, transcript))
    // Agents write the same texts in many sessions; users seldom do.
    if (hasRecord || items.some((item) => isQuotedPrompt(item, transcript)))
      candidates.push({ session, hasRecord, ...quotedTexts(items, transcript) })
  }
  const withRecord = candidates.filter(({ hasRecord }) => hasRecord)
  const best = bestOf(withRecord.length > 0 ? withRecord : candidates, last)
  return best && { session: best.session, seq: await completed(store, best.session, text) }
}

/** A session that the transcript may quote, and its texts that are quoted. */
type Candidate = {
  readonly session: SessionId
  readonly hasRecord: boolean
  readonly texts: ReadonlySet<string>
  readonly isAll: boolean
}

function bestOf(all: readonly Candidate[], last: SessionId | undefined): Candidate | undefined {
  const candidates = all.filter(({ texts, isAll }) => isAll || !all.some((other) => hasMore(other.texts, texts)))
  const [most] = candidates.toSorted((a, b) => b.texts.size - a.texts.size)
  const latest = candidates.find(({ session }) => session === last)
  const isClear = (most?.texts.size ?? 0) >= CLEARLY_MORE * Math.max(1, latest?.texts.size ?? 0)
  return isClear ? most : (latest ?? most)
}

function hasMore(texts: ReadonlySet<string>, than: ReadonlySet<string>): boolean {
  return texts.size > than.size && [...than].every((each) => texts.has(each))
}

/** The end of a session, with the results of its last calls. Meanwhile another process may have appended them, or continued the session. */
async function completed(store: Store, session: SessionId, transcript: string): Promise<Seq> {
  const { view } = await openSession(store, session)
  const last = view.items.slice(-1)[0]?.message
  const message = last === undefined ? undefined : quotedResults(last, transcript)
  if (message === undefined) return view.lastSeq
  const guard = {
    since: view.lastSeq,
    check: (later: readonly unknown[]) => (later.length > 0 ? 'it has continued' : undefined),
  }
  const appended = await store.append(session, [{ type: 'message', message }], { guard })
  return appended.ok ? (appended.entries.at(-1)?.seq ?? view.lastSeq) : view.lastSeq
}

const MOST_SESSIONS = 10
/** How many times more texts the transcript must quote of another session than of the one that was answered last. */
const CLEARLY_MORE = 2

/**
 * The results of the calls that a session ends with, from a transcript. opencode compacts between a result and the request
 * that would have brought it. The log then has only the call, and a session cannot be compacted after an open call.
 */
export function quotedResults(last: Message, transcript: string): Message | undefined {
  const calls = partsOf(last).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  if (last.role !== 'assistant' || calls.length === 0) return undefined
  const texts = transcript.split(CALL).slice(1).slice(-calls.length)
  const results = calls.map(({ toolName, input }, i) => {
    const [called = '', result] = (texts[i] ?? '').split(RESULT, 2)
    return called.startsWith(`${toolName}(${jsonText(input)}`) ? result?.split(NEXT, 1)[0]?.trim() : undefined
  })
  if (results.includes(undefined)) return undefined
  return {
    role: 'tool',
    content: calls.map(({ toolCallId, toolName }, i) => ({
      type: 'tool-result',
      toolCallId,
      toolName,
      output: { type: 'text', value: results[i] ?? '' },
    })),
  }
}

/** The labels with which opencode quotes a call, its result, and the next message. */
const CALL = /^\[Assistant tool call\]: /m
const RESULT = /^\[Tool (?:result|error)\]: /m
const NEXT = /^(?:\[(?:User|Assistant)[^\]\n]*\]: |<\/conversation>)/m

/** The place of the last item that a transcript quotes; undefined when it quotes none of them. */
export function lastQuoted(items: readonly Item[], transcript: string): number | undefined {
  return items.findLast(({ kind, message }) => kind === 'message' && isQuoted(message, transcript))?.place
}

/** The distinct texts of these items that a transcript quotes, and whether those are all. Agents repeat some texts many times. */
function quotedTexts(
  items: readonly Item[],
  { quotes }: Transcript,
): { readonly texts: ReadonlySet<string>; readonly isAll: boolean } {
  const all = new Set(items.flatMap(({ kind, message }) => (kind === 'message' ? beginningsOf(message) : [])))
  const texts = new Set([...all].filter((each) => quotes.has(each)))
  return { texts, isAll: texts.size === all.size }
}

/**
 * True if a transcript quotes this message as the user's. The prompt of a sub-agent is quoted in a call, so it does not count.
 * opencode quotes all texts of a message as one. A provider may have got several messages as one.
 */
function isQuotedPrompt({ kind, message }: Item, { prompts }: Transcript): boolean {
  if (kind !== 'message' || message.role !== 'user') return false
  const texts = [textOf(message), ...partsOf(message).map((part) => (part.type === 'text' ? part.text : ''))]
  return texts
    .filter((text) => typedText(text) !== '')
    .flatMap(beginningIn)
    .some((beginning) => prompts.some((each) => each.startsWith(beginning)))
}

/** True for a record that a transcript quotes as its earlier summary. */
function isQuotedRecord({ kind, message }: Item, { text }: Transcript): boolean {
  const record = kind === 'summary' ? textOf(message).trim() : ''
  return record !== '' && text.includes(record)
}

function isQuoted(message: Message, transcript: string): boolean {
  return beginningsOf(message).some((beginning) => transcript.includes(beginning))
}

function beginningsOf(message: Message): string[] {
  return partsOf(message).flatMap((part) =>
    beginningIn(part.type === 'text' ? part.text : part.type === 'tool-result' ? outputText(part.output) : ''),
  )
}

function beginningIn(text: string): string[] {
  const beginning = text.trim().slice(0, COMPARED_CHARACTERS)
  return beginning.length >= LEAST_CHARACTERS ? [beginning] : []
}

/** Shorter texts, such as "Done.", appear more than once. */
const LEAST_CHARACTERS = 12

/** A conversation that a client quotes as one text, with the beginning of each message in it. */
type Transcript = {
  readonly text: string
  /** The messages that it quotes as the user's. */
  readonly prompts: readonly string[]
  /** All messages that it quotes. A set, because searching megabytes for each message of many sessions would be slow. */
  readonly quotes: ReadonlySet<string>
}

/** Clients shorten results, so only the beginnings of texts are compared. */
const COMPARED_CHARACTERS = 200

export function readTranscript(text: string): Transcript {
  // The text before the first label is not a message. After it, labels and texts take turns.
  const [, ...parts] = text.split(LABEL)
  const pieces = parts.map((part = '') => part.trim().slice(0, COMPARED_CHARACTERS))
  return {
    text,
    prompts: pieces.filter((_, i) => i % 2 === 1 && pieces[i - 1] === 'User'),
    quotes: new Set(pieces.filter((_, i) => i % 2 === 1)),
  }
}

/** The labels with which pi and opencode name the speaker, and the end of the conversation. */
const LABEL = /^(?:\[((?:User|Assistant|Tool)[^\]\n]*)\]: |<\/conversation>)/m
