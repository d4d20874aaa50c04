import { z } from 'zod'
import { count, counted } from '../engine/report/numbers.ts'
import { matchingText, unindexedText } from '../engine/report/search-text.ts'
import { PithError } from '../model/problems/errors.ts'
import { oneLine } from '../model/text.ts'
import { hasSeq, missingText, namedHandles, readHandles } from '../search/handles.ts'
import { hitTexts, MOST_HITS, nothingFound, searchAnswer, searchLog } from '../search/hits.ts'
import { noEntryText, recallPage, type WholeLog } from '../session/search/search-session.ts'
import { RECALL_TEXTS } from './descriptions.ts'
import {
  chosenSession,
  type McpTool,
  type NamedSession,
  type RecallScope,
  SCOPES,
  sessionLine,
  shortId,
  type ToolCall,
  withinAnswer,
} from './found-session.ts'

const inputSchema = z
  .strictObject({
    handles: z.string().min(1).max(400).optional().describe(RECALL_TEXTS.handles),
    search: z.string().trim().min(1).max(400).optional().describe(RECALL_TEXTS.search),
    scope: z.enum(SCOPES).optional().describe(RECALL_TEXTS.scope),
    session: z.string().min(4).max(200).optional().describe(RECALL_TEXTS.session),
    offset: z.number().int().nonnegative().optional().describe(RECALL_TEXTS.offset),
  })
  .refine(({ handles, search }) => (handles === undefined) !== (search === undefined), 'give either handles or search')
type Input = z.infer<typeof inputSchema>

/** Returns entries word for word, or finds them by a text. */
export const recallTool: McpTool<Input> = {
  name: 'recall',
  description: RECALL_TEXTS.description,
  input: inputSchema,
  isReadOnly: true,
  run: (input, call) => {
    const { handles, search = '', scope = 'session' } = input
    if (handles !== undefined) return entriesText(handles, input, call)
    return scope === 'session' || input.session !== undefined
      ? searchOneSession(search, input.session, call)
      : searchScope(scope, search, call)
  },
}

async function entriesText(given: string, input: Input, { finder }: ToolCall): Promise<string> {
  // A memory names the session in its handles.
  const { session, handles, offset = 0 } = { ...input, handles: given, ...namedHandles(given) }
  const wanted = readHandles(handles)
  const chosen = await chosenSession(finder, session)
  const log = await chosen.session.read()
  const whole: WholeLog = (await chosen.session.whole?.(log, 'read')) ?? log
  const found = whole.entries.filter(({ seq }) => hasSeq(wanted, seq))
  const damaged = (log.damaged ?? []).filter(({ seq }) => hasSeq(wanted, seq))
  const line = sessionLine(chosen, log)
  if (found.length + damaged.length === 0)
    throw new PithError('unknown-entry', noEntryText(line, handles, whole, EARLIER))
  const missing = missingText(handles, found, damaged)
  if (found.length === 0) throw new PithError('bad-entry', `${line}: ${missing.join(' ')}`)
  return withinAnswer((characters) => [line, recallPage(found, offset, characters), ...missing].join('\n\n'))
}

const EARLIER =
  'Those before are in the session that this one goes on from: `search` words of theirs with `scope: everything`, then recall the handles with that `session`.'

async function searchOneSession(text: string, id: string | undefined, { finder }: ToolCall): Promise<string> {
  const chosen = await chosenSession(finder, id)
  const log = await chosen.session.read()
  const { entries, missing }: WholeLog = (await chosen.session.whole?.(log, 'search')) ?? log
  const result = await searchLog(entries, text, { limit: MOST_HITS })
  const wider = result.hits.length === 0 ? ' A wider `scope` looks further.' : ''
  const unread = missing === undefined ? [] : [`${missing}.`]
  const lines = [sessionLine(chosen, log), '', `${searchAnswer(text, result)}${wider}`, ...unread]
  return withinAnswer(() => lines.join('\n'))
}

async function searchScope(scope: Exclude<RecallScope, 'session'>, text: string, call: ToolCall): Promise<string> {
  const { finder, signal } = call
  const progress = (done: number, all: number) =>
    void call.progress(done, `${count(done)} of ${counted(all, 'changed session')} indexed`).catch(() => undefined)
  const result = await finder.search(scope, { text, limit: MOST_HITS, signal, progress })
  const where = (finder.places ?? PLACES)[scope]
  const unread = unindexedText({ waiting: result.waiting, files: result.left })
  if (result.hits.length === 0)
    return withinAnswer(() => [`${nothingFound(text, result, ` of ${where}`)}.`, ...unread].join('\n'))
  const lines = [`${matchingText(result, ` of ${where}`)}, the best first`, '']
  let last: string | undefined
  for (const hit of result.hits) {
    const session = result.sessions.get(hit.session)
    if (session !== undefined && hit.session !== last) lines.push(titleOf(session))
    last = hit.session
    lines.push(...hitTexts([hit]))
  }
  return withinAnswer(() => [...lines, ...unread, END].join('\n'))
}

const END = 'To see an entry as a whole: recall its handle with its `session`.'
const PLACES = { folder: 'this folder', everything: 'this machine' } as const

function titleOf(session: NamedSession): string {
  const title = session.title === undefined ? '' : `, “${oneLine(session.title, 80)}”`
  return `session ${shortId(session)} (${session.agent}${title}):`
}
