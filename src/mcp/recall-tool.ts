import { z } from 'zod'
import { counted } from '../engine/report/numbers.ts'
import { PithError } from '../model/problems/errors.ts'
import { oneLine } from '../model/text.ts'
import type { Entry, Seq } from '../model/types.ts'
import { handleQuery, isLookUp, recallPage } from '../session/search/search-session.ts'
import { searchText, snippet } from '../store/search/search-text.ts'
import { RECALL_TEXTS } from './descriptions.ts'
import {
  chosenSession,
  type FoundSession,
  type McpTool,
  type RecallScope,
  SCOPES,
  sessionLine,
  shortId,
  type ToolCall,
  withinAnswer,
} from './found-session.ts'

/** An entry that contains the text of a search. */
type LogHit = { readonly seq: Seq; readonly by: string; readonly snippet: string }

/**
 * The entries of a log that contain a text, the newest first. If no entry does, the entries that contain all of its words.
 * Earlier searches are skipped, because they contain the words that they look for.
 */
export function searchLog(entries: readonly Entry[], text: string, most: number): LogHit[] {
  const whole = found(entries, [text], most)
  const words = text.split(/\s+/).filter((word) => word !== '')
  return whole.length > 0 || words.length < 2 ? whole : found(entries, words, most)
}

function found(entries: readonly Entry[], texts: readonly string[], most: number): LogHit[] {
  const wanted = texts.map((text) => text.toLowerCase())
  const hits: LogHit[] = []
  for (const entry of entries.toReversed()) {
    if (hits.length >= most) break
    const content = searchText(entry)
    const folded = content.toLowerCase()
    if (content === '' || isLookUp(entry) || !wanted.every((text) => folded.includes(text))) continue
    hits.push({ seq: entry.seq, by: byOf(entry), snippet: snippet(content, texts[0] ?? '', SNIPPET_CHARACTERS) })
  }
  return hits
}

const SNIPPET_CHARACTERS = 240

function byOf(entry: Entry): string {
  return entry.type === 'message' ? entry.message.role : entry.type
}

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

async function entriesText(handles: string, { session, offset = 0 }: Input, { finder }: ToolCall): Promise<string> {
  const wanted = handleQuery(handles)
  const chosen = await chosenSession(finder, session)
  const log = await chosen.session.read()
  const found = log.entries.filter(({ seq }) =>
    'seqs' in wanted ? wanted.seqs.includes(seq) : seq >= wanted.from && seq <= wanted.upTo,
  )
  if (found.length === 0) throw new PithError('unknown-entry', noEntry(handles, sessionLine(chosen, log), log.entries))
  return withinAnswer((characters) => `${sessionLine(chosen, log)}\n\n${recallPage(found, offset, characters)}`)
}

function noEntry(handles: string, line: string, entries: readonly Entry[]): string {
  const first = entries[0]?.seq ?? 0
  const none = `${line} has no entry ${handles}: its entries are #${first} to #${entries.at(-1)?.seq ?? 0}`
  // A session after a handoff begins with the record of another session, and with that record's handles.
  return first > 1 ? `${none}. ${EARLIER}` : none
}

const EARLIER =
  'Those before are in the session that this one goes on from: `search` words of theirs with `scope: everything`, then recall the handles with that `session`.'

const MOST_HITS = 20

async function searchOneSession(text: string, id: string | undefined, { finder }: ToolCall): Promise<string> {
  const chosen = await chosenSession(finder, id)
  const log = await chosen.session.read()
  const lines = hitLines(log.entries, text, MOST_HITS)
  const found =
    lines.length === 0 ? [`Nothing contains \`${text}\`. A wider \`scope\` looks further.`] : [...lines, WHOLE]
  return withinAnswer(() => [sessionLine(chosen, log), '', ...found].join('\n'))
}

const WHOLE = 'To see an entry as a whole: recall its handle.'

function hitLines(entries: readonly Entry[], text: string, most: number): string[] {
  return searchLog(entries, text, most).map((hit) => `#${hit.seq} (${hit.by}): ${oneLine(hit.snippet, 400)}`)
}

/** The longest time of a search. Clients give up on a call after a minute. */
const LONGEST_MS = 20_000

async function searchScope(scope: Exclude<RecallScope, 'session'>, text: string, call: ToolCall): Promise<string> {
  const started = call.clock()
  const lines: string[] = []
  let [hits, searched, isWhole] = [0, 0, true]
  for await (const session of call.finder.within(scope)) {
    call.signal.throwIfAborted()
    if (hits >= MOST_HITS || call.clock() - started > LONGEST_MS) {
      isWhole = false
      break
    }
    const found = await hitsIn(session, text, MOST_HITS - hits)
    searched++
    hits += found.hits.length
    if (found.hits.length > 0) lines.push(found.title, ...found.hits)
    await call.progress(searched, `${counted(searched, 'session')} searched`)
  }
  const where = `${isWhole ? 'All' : 'The newest'} ${counted(searched, 'session')} of ${(call.finder.places ?? PLACES)[scope]} searched`
  const end =
    hits === 0 ? `Nothing contains \`${text}\`.` : 'To see an entry as a whole: recall its handle with its `session`.'
  return withinAnswer(() => [where, '', ...lines, end].join('\n'))
}

const PLACES = { folder: 'this folder', everything: 'this machine' } as const

/** The hits in a session; none if it cannot be read. */
async function hitsIn(session: FoundSession, text: string, most: number): Promise<{ title: string; hits: string[] }> {
  try {
    const log = await session.read()
    const title = log.title === undefined ? '' : `, “${oneLine(log.title, 80)}”`
    return { title: `session ${shortId(session)} (${session.agent}${title}):`, hits: hitLines(log.entries, text, most) }
  } catch {
    return { title: '', hits: [] }
  }
}
