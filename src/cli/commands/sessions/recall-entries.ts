import { counted } from '../../../engine/report/numbers.ts'
import { PithError } from '../../../model/problems/errors.ts'
import { printable } from '../../../model/text.ts'
import { recall, recallPage } from '../../../session/search/search-session.ts'
import type { Hit, Store } from '../../../store/store.ts'
import { columns, fitted, print, printJson, screenWidth, tinted } from '../../output/show.ts'
import { foreignText, requireStoredId } from '../../sessions/session-source.ts'
import { hasStore, loadSetup, withStoreToRead } from '../../setup/setup.ts'
import type { RecallFlags } from './session-commands.ts'

const HANDLES = /^\s*#\d+(?:[\s,–.-]+#?\d+)*\s*$/

/** Prints the entries that contain a text, or entries verbatim. */
export async function recallAny(query: string, flags: RecallFlags): Promise<void> {
  const setup = loadSetup({})
  if (!hasStore(setup)) {
    if (flags.session !== undefined)
      throw new PithError(
        'unknown-session',
        foreignText(flags.session) ?? `there is no session ${flags.session}: this machine has none yet`,
      )
    return showHits(query, [], flags)
  }
  await withStoreToRead(setup, async (store) => {
    const session = flags.session === undefined ? undefined : await requireStoredId(store, flags.session)
    if (HANDLES.test(query)) return showEntries(store, query, session, flags)
    const hits = await store.search({ text: query, limit: flags.limit, session })
    showHits(query, hits, flags)
  })
}

async function showEntries(
  store: Store,
  handles: string,
  session: string | undefined,
  flags: RecallFlags,
): Promise<void> {
  if (session === undefined)
    throw new PithError('bad-argument', `${handles} is an entry of one session: name it with --session ID`)
  const entries = await recall(store, session, handles)
  if (entries.length === 0) throw new PithError('unknown-entry', `session ${session} has no entry ${handles}`)
  if (flags.json === true) return printJson(entries)
  print(printable(recallPage(entries, 0, Number.MAX_SAFE_INTEGER)))
}

function showHits(query: string, hits: readonly Hit[], flags: RecallFlags): void {
  if (flags.json === true) return printJson(hits)
  if (hits.length === 0) return print(`No entry contains “${fitted(query, 60)}”`)
  const width = screenWidth()
  const rows = hits.map(({ session, seq, snippet }) => [
    tinted(session.slice(0, 8), 'dim'),
    `#${seq}`,
    fitted(snippet, width - 20),
  ])
  for (const line of columns(rows, ['left', 'right'])) print(line)
  const [first] = hits
  print(
    tinted(
      `${counted(hits.length, 'place')}; verbatim: pith recall '#${first?.seq}' --session ${first?.session.slice(0, 8)}`,
      'dim',
    ),
  )
}
