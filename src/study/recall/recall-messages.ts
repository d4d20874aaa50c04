import { openConversation } from '../../fit/state/conversation.ts'
import { knownRecord } from '../../fit/state/known-record.ts'
import { messageOf, PithError } from '../../model/problems/errors.ts'
import type { EntryOf, Message, Seq } from '../../model/types.ts'
import { areHandles, hasSeq, missingText, namedHandles, readHandles } from '../../search/handles.ts'
import { type Hit, indexedLogs, MOST_HITS, searchAnswer } from '../../search/hits.ts'
import { searchIndexed } from '../../search/indexed-sessions.ts'
import { recallPage } from '../../session/search/search-session.ts'
import type { Recalled, RecallOptions } from './recall.ts'

type Log = readonly EntryOf<'message'>[]

/** The parent has no name: its handles are those of its own records. */
const PARENT = ''
const CHARACTERS = 12_000

/** The answer to a question about a conversation and those of its sub-agents. A mistake in it is an answer, so that the model reads it. */
export function recallMessages(
  messages: readonly Message[],
  asked: string,
  { state, children = {}, ...options }: RecallOptions,
): Promise<Recalled> {
  const logs = Object.entries(children).map(([name, list]) => [name, childLog(list)] as const)
  return recallLogs(new Map([[PARENT, parentLog(messages, state)], ...logs]), asked, options)
}

/** The same for a log whose messages already have their numbers. */
export function recallNumbered(messages: readonly Message[], seqs: readonly Seq[], asked: string): Promise<Recalled> {
  return recallLogs(new Map([[PARENT, messages.map((message, i) => entryOf(message, seqs[i] ?? 0))]]), asked, {})
}

async function recallLogs(
  logs: ReadonlyMap<string, Log>,
  asked: string,
  { limit = MOST_HITS, characters = CHARACTERS, offset = 0 }: RecallOptions,
): Promise<Recalled> {
  try {
    const handles = handlesIn(asked)
    return handles === undefined
      ? await search(logs, asked, limit)
      : read(logs, handles.session, handles.handles, { characters, offset })
  } catch (error) {
    if (!(error instanceof PithError)) throw error
    return { text: messageOf(error), found: [] }
  }
}

function handlesIn(asked: string): { readonly session: string; readonly handles: string } | undefined {
  return areHandles(asked) ? { session: PARENT, handles: asked } : namedHandles(asked)
}

/** The entries have the numbers that `fit` gives them: instructions at the front have none, and those after a record continue its own. */
function parentLog(messages: readonly Message[], state: unknown): Log {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = first === -1 ? messages.length : first
  const opened = knownRecord(openConversation(messages, { state, leading }))
  return opened.messages.flatMap((message, i) => {
    const seq = opened.seqs[i] ?? 0
    return seq > 0 ? [entryOf(message, seq)] : []
  })
}

/** The orders of a sub-agent come from the parent's model, so none of its words are the user's. */
function childLog(messages: readonly Message[]): Log {
  return messages.map((message, i) => ({ ...entryOf(message, i + 1), userWords: [] }))
}

function entryOf(message: Message, seq: Seq): EntryOf<'message'> {
  return { type: 'message', id: `e${seq}`, seq, at: 0, message }
}

function read(
  logs: ReadonlyMap<string, Log>,
  name: string,
  handles: string,
  { characters, offset }: { readonly characters: number; readonly offset: number },
): Recalled {
  const log = logs.get(name)
  if (log === undefined) throw new PithError('bad-argument', unknownName(name, [...logs.keys()]))
  const ranges = readHandles(handles)
  const entries = log.filter(({ seq }) => hasSeq(ranges, seq))
  const found = entries.map(({ seq, message }) => ({ handle: `${name}#${seq}`, message, snippet: '' }))
  if (entries.length === 0) return { text: `There is no entry ${name}${handles.trim()}: search for words.`, found }
  const missing = missingText(handles, entries)
  return { text: [recallPage(entries, offset, characters, name), ...missing].join('\n\n'), found }
}

function unknownName(name: string, known: readonly string[]): string {
  const names = known.filter((one) => one !== PARENT)
  const there = names.length === 0 ? 'there are no sub-agents' : `the sub-agents are ${names.join(', ')}`
  return `There is no sub-agent ${name}: ${there}`
}

async function search(logs: ReadonlyMap<string, Log>, asked: string, limit: number): Promise<Recalled> {
  const result = await searchIndexed(indexedLogs(logs), asked, { limit })
  const text = searchAnswer(asked, result, ({ session }) => session)
  return { text, found: result.hits.flatMap((hit) => foundBy(hit, logs)) }
}

function foundBy({ session, seq, snippet }: Hit, logs: ReadonlyMap<string, Log>): Recalled['found'] {
  const entry = logs.get(session)?.find((one) => one.seq === seq)
  return entry === undefined ? [] : [{ handle: `${session}#${seq}`, message: entry.message, snippet }]
}
