import { realpathSync } from 'node:fs'
import { shortSessionId } from '../../../contract/shapes/agent-id.ts'
import { count, counted } from '../../../engine/report/numbers.ts'
import { matchingText, unindexedText } from '../../../engine/report/search-text.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import type { Entry } from '../../../model/types.ts'
import {
  areHandles,
  type DamagedEntry,
  hasSeq,
  missingText,
  namedHandles,
  readHandles,
} from '../../../search/handles.ts'
import { beside, indexedLogs, NOTHING_TO_FIND, nothingFound, saidBy } from '../../../search/hits.ts'
import { searchIndexed } from '../../../search/indexed-sessions.ts'
import { isBlank, readQuery, typedFilters } from '../../../search/query.ts'
import { isGap } from '../../../session/import/gap.ts'
import { noEntryText, recallPage, type WholeLog } from '../../../session/search/search-session.ts'
import { namedSidechains, recallWithTasks, searchWithTasks } from '../../../session/tasks.ts'
import { redactedTexts } from '../../../store/search/redacted-texts.ts'
import type { Hit, SearchResult, Store } from '../../../store/store.ts'
import { fitted, note, print, printJson, screenWidth, showProgress, tinted } from '../../output/show.ts'
import { EXIT, UsageError } from '../../process/exit-codes.ts'
import { interruptible } from '../../process/interruptible.ts'
import { searchMachine } from '../../recall/search-machine.ts'
import { AgentIndex } from '../../sessions/agent-index.ts'
import { withRecordSource } from '../../sessions/record-source.ts'
import { openSource, storedId } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, type Setup, withStoreToRead } from '../../setup/setup.ts'
import type { RecallFlags } from './session-commands.ts'

/** Prints the entries that a search finds, the best first, or entries verbatim. */
export async function recallAny(query: string, flags: RecallFlags): Promise<void> {
  checkQuery(query, flags)
  const setup = loadSetup({})
  if (flags.session !== undefined) return recallIn(flags.session, query, flags, setup)
  const named = namedHandles(query)
  if (named !== undefined) return recallIn(named.session, named.handles, { ...flags, session: named.session }, setup)
  await interruptible(async (signal) => {
    try {
      await recallMany(query, flags, setup, signal)
    } catch (error) {
      if (!signal.aborted) throw error
      process.exitCode = EXIT.interrupted
    }
  })
}

/** A mistake is reported before anything is read or indexed. */
function checkQuery(query: string, { session }: RecallFlags): void {
  try {
    if (!areHandles(query)) {
      if (isBlank(readQuery(query))) throw new PithError('bad-argument', NOTHING_TO_FIND)
      return
    }
    const [first, ...others] = readHandles(query)
    const isOne = others.length === 0 && first?.from === first?.upTo
    const are = isOne ? 'is an entry' : 'are entries'
    if (session === undefined)
      throw new PithError('bad-argument', `${query} ${are} of one session: name it with --session ID`)
  } catch (error) {
    throw error instanceof PithError ? new UsageError(error.code, error.message) : error
  }
}

/** One session: of our store, a file, or one that an agent keeps on this machine. */
async function recallIn(what: string, query: string, flags: RecallFlags, setup: Setup): Promise<void> {
  const isAnswered =
    hasStore(setup) && (await withStoreToRead(setup, (store) => recallStored(store, what, query, flags)))
  if (isAnswered) return
  const { session, name } = await openSource(what, setup)
  const named = namedHandles(query)
  const { hidden } = redactedTexts(setup.folders.data)
  const tasks = namedSidechains(session.sidechains).map((task) => [task.name, hidden(task.entries)] as const)
  if (named !== undefined) {
    const entries = tasks.find(([task]) => task === named.session)?.[1]
    if (entries === undefined) throw new PithError('unknown-entry', `${name} has no sub-agent ${named.session}`)
    return showEntriesOf({ entries }, named.handles, `${name}, ${named.session}`, flags, named.session)
  }
  const to = areHandles(query) ? 'read' : 'search'
  const log = await withRecordSource(hidden(session.entries), { setup, to })
  if (to === 'read') return showEntriesOf(log, query, name, flags)
  const result = await searchIndexed(indexedLogs(new Map([['', log.entries], ...tasks])), query, pageOf(flags))
  const hits = result.hits.map((hit) => ({ ...hit, session: what, task: hit.session || undefined }))
  showHits(query, { ...result, hits }, flags)
  if (log.missing !== undefined) note(log.missing)
}

function showEntriesOf(log: WholeLog, handles: string, name: string, flags: RecallFlags, task = ''): void {
  const wanted = readHandles(handles)
  const found = log.entries.filter(({ seq }) => hasSeq(wanted, seq))
  if (found.length === 0) throw new PithError('unknown-entry', noEntryText(name, handles, log, EARLIER))
  showEntries(found, handles, flags, { task })
}

const EARLIER = 'Those before are in the session that it was made from'

/** False if the store does not have the session, or has it without the entries before a record. */
async function recallStored(store: Store, what: string, query: string, flags: RecallFlags): Promise<boolean> {
  const session = await storedId(store, what)
  if (session === undefined) return false
  const named = namedHandles(query)
  if (!areHandles(named?.handles ?? query)) {
    const { nameOf, ...result } = await searchWithTasks(store, session, query, pageOf(flags))
    const hits = result.hits.map((hit) => ({ ...hit, task: nameOf?.(hit) || undefined }))
    showHits(query, { ...result, hits }, flags)
    return true
  }
  let damaged: readonly DamagedEntry[] = []
  const onBad = (rows: readonly DamagedEntry[]) => (damaged = rows)
  const found = await recallWithTasks(store, session, query, { raw: flags.raw, onBad })
  if (found.some(isGap)) return false
  if (found.length + damaged.length === 0) {
    const last = (await store.session(session))?.lastSeq ?? 0
    throw new PithError('unknown-entry', `session ${session} has no entry ${query}: its entries are #1 to #${last}`)
  }
  showEntries(found, named?.handles ?? query, flags, { task: named?.session, damaged })
  return true
}

/** All sessions of this machine, or those of this folder. */
async function recallMany(query: string, flags: RecallFlags, setup: Setup, signal: AbortSignal): Promise<void> {
  const agents = new AgentIndex(setup.folders.data)
  try {
    const left = await agents.update({ signal, progress: progressLine() }).finally(() => showProgress(''))
    const here = process.cwd()
    const folders = flags.here === true ? new Set([here, realpathSync(here)]) : undefined
    const { sessions, ...result } = await searchMachine(setup, agents, { text: query, ...pageOf(flags), folders })
    const hits = result.hits.map((hit) => {
      const { id, ...named } = sessions.get(hit.session) ?? { id: hit.session }
      return { ...hit, ...named, session: id }
    })
    showHits(query, { ...result, hits }, flags)
    if (left > 0) note(`${counted(left, 'session file')} could not be indexed: the next search tries again`)
  } finally {
    await agents.close()
  }
}

const SLOW_MS = 1_000

/** Shows how far the index is, if that takes longer than a moment. */
function progressLine(): (done: number, all: number) => void {
  const from = Date.now()
  return (done, all) => {
    if (Date.now() - from >= SLOW_MS) showProgress(`Indexing ${count(done)} of ${counted(all, 'changed session')} …`)
  }
}

function pageOf({ limit, page }: RecallFlags): { limit: number; offset: number } {
  return { limit, offset: (page - 1) * limit }
}

type About = { readonly task?: string | undefined; readonly damaged?: readonly DamagedEntry[] }

function showEntries(
  entries: readonly Entry[],
  handles: string,
  flags: RecallFlags,
  { task = '', damaged = [] }: About,
): void {
  const missing = missingText(handles, entries, damaged)
  if (entries.length === 0) throw new PithError('bad-entry', missing.join(' '))
  if (flags.json === true) printJson(entries)
  else print(printable(recallPage(entries, 0, Number.MAX_SAFE_INTEGER, task)))
  for (const line of missing) note(line)
}

/** A hit; one in many sessions with the agent that wrote its session, one of a sub-agent with its name. */
type ShownHit = Hit & { readonly agent?: string; readonly task?: string }

function showHits(
  query: string,
  result: Omit<SearchResult, 'hits'> & { readonly hits: readonly ShownHit[] },
  flags: RecallFlags,
): void {
  const { hits, total } = result
  if (flags.json === true) return printJson(result)
  for (const line of unindexedText(result)) note(line)
  if (total === 0) {
    if (result.searched === 0 && typedFilters(query).length === 0)
      note('There is no session to search yet: pith import example makes one to try it on')
    return print(`${nothingFound(query, result)}.`)
  }
  if (hits.length === 0)
    return print(`${matchingText(result)}, but page ${count(flags.page)} is after the last: begin with --page 1.`)
  const width = screenWidth()
  for (const { session, agent, task = '', seq, snippet, ...hit } of hits) {
    const where = agent === undefined ? '' : `${agent} ${shortSessionId(session)} `
    print(`${tinted(where, 'dim')}${task}#${seq} ${tinted(`${saidBy(hit)}${beside(hit, task)}`, 'dim')}`)
    for (const line of snippet.split('\n')) print(`  ${fitted(line, width - 2)}`)
  }
  const [first] = hits
  const shown = hits.reduce((sum, { also }) => sum + 1 + also.length, 0)
  const isLast = hits.length < flags.limit || total <= pageOf(flags).offset + shown
  const more = isLast ? '' : `; more: --page ${flags.page + 1}`
  const verbatim =
    first === undefined
      ? ''
      : `; verbatim: pith recall '${first.task ?? ''}#${first.seq}' --session ${flags.session ?? shortSessionId(first.session)}`
  print(tinted(`${matchingText(result)}${verbatim}${more}`, 'dim'))
}
