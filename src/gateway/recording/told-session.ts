import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Seq } from '../../model/ids.ts'
import { jsonText, type Message, partsOf } from '../../model/message/message.ts'
import { openSession, peekSession } from '../../session/open-session.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { isAsked, isToldRecord, readTold, toldWords } from './last-told.ts'
import type { RecorderDeps } from './session-recorder.ts'

/** A session, and its end now. */
export type ToldSession = { readonly session: SessionId; readonly seq: Seq }

/**
 * The session that a client tells as a text: one whose record is in it or, where there is none, one whose user is quoted. In
 * a long turn nothing of the user stands behind the record. A session that says other things, too, and of which another has all
 * that is told and more, is not meant: it is a fork, or a request for a title. Of those that are left it is the one that was
 * answered last, unless clearly more is told of another: a sub-agent answers while the agent that called it waits.
 */
export async function toldSession(
  store: Store,
  { owner, workspace, holder }: Pick<RecorderDeps, 'owner' | 'workspace' | 'holder'>,
  told: string,
  last: SessionId | undefined,
): Promise<ToldSession | undefined> {
  // People say the same words in other projects. A session from elsewhere that is resumed here has this gateway as its holder.
  const here = await store.sessions({ owner, workspace, limit: MOST_LOOKS })
  const held = await store.sessions({ owner, holder, limit: MOST_LOOKS })
  const known = [...here.sessions, ...held.sessions].map(({ id }) => id)
  const ids = new Set(last === undefined ? known : [last, ...known])
  const text = readTold(told)
  const looks: Look[] = []
  for (const session of ids) {
    // Ten long sessions take a while, and other requests wait meanwhile.
    await nextTurn()
    const { view } = await peekSession(store, session)
    const items = view.items.slice()
    const hasRecord = items.some((item) => isToldRecord(item, text))
    // Agents say the same words in many sessions; users seldom do.
    if (hasRecord || items.some((item) => isAsked(item, text)))
      looks.push({ session, hasRecord, ...toldWords(items, text) })
  }
  const withRecord = looks.filter(({ hasRecord }) => hasRecord)
  const best = bestOf(withRecord.length > 0 ? withRecord : looks, last)
  return best && { session: best.session, seq: await completed(store, best.session, told) }
}

/** A session that may be told, and its words that are. */
type Look = {
  readonly session: SessionId
  readonly hasRecord: boolean
  readonly words: ReadonlySet<string>
  readonly isAll: boolean
}

function bestOf(all: readonly Look[], last: SessionId | undefined): Look | undefined {
  const looks = all.filter(({ words, isAll }) => isAll || !all.some((other) => hasMore(other.words, words)))
  const [most] = looks.toSorted((a, b) => b.words.size - a.words.size)
  const latest = looks.find(({ session }) => session === last)
  const isBehind = (most?.words.size ?? 0) >= CLEARLY_MORE * Math.max(1, latest?.words.size ?? 0)
  return isBehind ? most : (latest ?? most)
}

function hasMore(words: ReadonlySet<string>, than: ReadonlySet<string>): boolean {
  return words.size > than.size && [...than].every((each) => words.has(each))
}

/** The end of a session, with the results of its last calls. Others may have appended them, or gone on, meanwhile. */
async function completed(store: Store, session: SessionId, told: string): Promise<Seq> {
  const { view } = await openSession(store, session)
  const last = view.items.slice(-1)[0]?.message
  const message = last === undefined ? undefined : toldResults(last, told)
  if (message === undefined) return view.lastSeq
  const guard = {
    since: view.lastSeq,
    check: (later: readonly unknown[]) => (later.length > 0 ? 'it has gone on' : undefined),
  }
  const appended = await store.append(session, [{ type: 'message', message }], { guard })
  return appended.ok ? (appended.entries.at(-1)?.seq ?? view.lastSeq) : view.lastSeq
}

const MOST_LOOKS = 10
/** How many times as much of another session must be told as of the one that was answered last. */
const CLEARLY_MORE = 2

/**
 * The results of the calls that a session ends with, as a client has told them in a text. opencode compacts between a
 * result and the request that would have brought it: the log has only the call, and nothing compacts behind an open call.
 */
export function toldResults(last: Message, told: string): Message | undefined {
  const calls = partsOf(last).flatMap((part) => (part.type === 'tool-call' ? [part] : []))
  if (last.role !== 'assistant' || calls.length === 0) return undefined
  const texts = told.split(CALL).slice(1).slice(-calls.length)
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

/** How opencode tells a call, its result, and what stands behind one. */
const CALL = /^\[Assistant tool call\]: /m
const RESULT = /^\[Tool (?:result|error)\]: /m
const NEXT = /^(?:\[(?:User|Assistant)[^\]\n]*\]: |<\/conversation>)/m
