import { useRef, useState } from 'preact/hooks'
import type { WireOverviewSession, WireSearchHit } from '../../../src/contract/routes/overview-routes.ts'
import { isAgentId } from '../../../src/contract/shapes/agent-id.ts'
import type { WireSession } from '../../../src/contract/shapes/shapes.ts'
import { counted } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { useChanges } from '../../hooks/use-changes.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import { useLoaded } from '../../hooks/use-loaded.ts'
import { useOverview } from '../../hooks/use-overview.ts'
import { routeHash } from '../../state/page-route.ts'
import { filterQuery, isFiltered, type SessionFilter } from '../../state/session-filter.ts'
import { type Found, foundText } from '../../text/found.ts'
import { sessionName, visibleLine } from '../../text/visible.ts'
import { RedactDialog } from '../redact-dialog.tsx'
import { HitLines } from '../text.tsx'
import { type Chrome, TopBar } from '../top-bar.tsx'
import { AgentSessionList } from './agent-sessions.tsx'
import { FirstSteps } from './first-steps.tsx'
import { ManageDialog } from './manage-dialog.tsx'
import { SessionFilters, useFilter } from './session-filters.tsx'
import { SessionTable } from './session-table.tsx'
import { SpendingPanel } from './spending.tsx'

const NO_CHOICES = { agents: [], models: [], folders: [] }

/** The start screen: all sessions with a search and filters, their cost, and the sessions of other agents. */
export function Sessions({ chrome, onOpen }: { chrome: Chrome; onOpen: (id: string) => void }) {
  const { mayWrite, isAdmin } = useApp()
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const [managed, setManaged] = useState<WireOverviewSession>()
  const state = useFilter()
  const { overview, live, error, more, again } = useOverview(words, state.filter)
  const sessions = overview?.sessions ?? []
  const selected = Math.min(at, sessions.length - 1)
  const keys = useListKeys(sessions, selected, setAt, onOpen)
  useKeys({ m: mayWrite && sessions[selected] !== undefined ? () => setManaged(sessions[selected]) : undefined })
  const searched = words.trim()
  const isEmpty = overview?.total === 0 && searched === '' && !isFiltered(state.filter)
  return (
    <>
      <TopBar chrome={chrome} live={live}>
        <h1>Sessions</h1>
      </TopBar>
      <main class="list">
        <div class="list-head">
          <input
            type="search"
            aria-label="Search sessions"
            placeholder="Search names and messages"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => keys[event.key]?.()}
          />
          <span class="soft" role="status">
            {overview !== undefined && counted(overview.total, 'session')}
          </span>
          <a class="button" href={routeHash({ memory: state.filter.folder })}>
            Memory
          </a>
          {isAdmin && (
            <a class="button" href={routeHash({ tokens: true })}>
              Tokens
            </a>
          )}
          <ImportButton onOpen={onOpen} />
        </div>
        {!isEmpty && <SessionFilters state={state} choices={overview?.choices ?? NO_CHOICES} />}
        {error !== undefined && <p class="bad card">{error}</p>}
        <div class={isEmpty ? 'list-columns alone' : 'list-columns'}>
          <div class="list-main">
            {isEmpty && <FirstSteps />}
            {overview?.total === 0 && !isEmpty && <Nothing words={searched} />}
            {sessions.length > 0 && (
              <SessionTable sessions={sessions} selected={selected} onOpen={onOpen} onManage={setManaged} />
            )}
            {more !== undefined && (
              <button type="button" class="more" onClick={more}>
                Show more
              </button>
            )}
            {searched !== '' && <AllHits words={searched} filter={state.filter} />}
            <AgentSessionList words={words} filter={state.filter} onOpen={onOpen} />
          </div>
          {overview !== undefined && overview.total > 0 && <SpendingPanel overview={overview} />}
        </div>
      </main>
      {managed !== undefined && (
        <ManageDialog session={managed} onClose={() => setManaged(undefined)} onChanged={again} />
      )}
    </>
  )
}

/** Moves in the list and opens a session: for the global keys, and for those of the search field. */
function useListKeys(
  sessions: readonly WireOverviewSession[],
  selected: number,
  select: (at: number) => void,
  onOpen: (id: string) => void,
): Readonly<Record<string, () => void>> {
  const move = (to: number) => {
    select(Math.max(0, Math.min(sessions.length - 1, to)))
    document.querySelectorAll('.session-row')[to]?.scrollIntoView({ block: 'nearest' })
  }
  const open = () => {
    const session = sessions[selected]
    if (session !== undefined) onOpen(session.id)
  }
  const arrows = { ArrowDown: () => move(selected + 1), ArrowUp: () => move(selected - 1), Enter: open }
  const ends = { Home: () => move(0), End: () => move(sessions.length - 1) }
  useKeys({ ...arrows, ...ends, j: arrows.ArrowDown, k: arrows.ArrowUp })
  return arrows
}

function Nothing({ words }: { words: string }) {
  if (words !== '') return <p class="soft">No session has “{visibleLine(words, 60)}” in its name or folder.</p>
  return <p class="empty">No session matches the filter.</p>
}

/** Imports a session file of any agent. */
function ImportButton({ onOpen }: { onOpen: (id: string) => void }) {
  const { client, mayWrite, notify } = useApp()
  const input = useRef<HTMLInputElement>(null)
  if (!mayWrite) return null
  const take = async (file: File | undefined) => {
    if (file === undefined) return
    const made = await client.upload<{ session: WireSession }>('/v1/sessions/import', file)
    if (made.ok) onOpen(made.value.session.id)
    else notify(made.message, 'error')
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Session file"
        onChange={(event) => void take(event.currentTarget.files?.[0])}
      />
      <button type="button" onClick={() => input.current?.click()}>
        Import…
      </button>
    </>
  )
}

const MOST_HITS = 50
const SETTLE_MS = 250

/** The entries of all sessions with the searched words, also those that the model does not see any more. */
function AllHits({ words, filter }: { words: string; filter: SessionFilter }) {
  const { mayWrite } = useApp()
  const [version, setVersion] = useState(0)
  const [redacting, setRedacting] = useState<WireSearchHit>()
  const query = filterQuery({ ...filter, sort: '' })
  query.set('q', words)
  query.set('limit', `${MOST_HITS}`)
  const { value: found, failure } = useLoaded<Found<WireSearchHit>>(`/v1/search?${query}`, {
    version,
    settleMs: SETTLE_MS,
  })
  const close = () => {
    setRedacting(undefined)
    setVersion(version + 1)
  }
  if (failure !== undefined) return <p class="bad card">{failure.message}</p>
  return (
    <section class="all-hits" aria-label="Said">
      <h2>
        What was said{' '}
        <span class="soft small" role="status">
          {found === undefined ? 'Searching…' : foundText(found)}
        </span>
      </h2>
      <ul>
        {found?.hits.map((hit) => (
          <li key={`${hit.session_id} ${hit.seq}`}>
            <a href={routeHash({ session: hit.session_id, entry: hit.seq })}>
              <span class="hit-head small">
                <strong>{sessionName(hit, 80)}</strong>
                <span class="soft">
                  {' '}
                  {hit.agent} · {hit.tool ?? hit.role ?? hit.type} #{hit.seq}
                  {hit.also.map((seq) => ` #${seq}`)}
                </span>
              </span>
              <span class="said-text" dir="auto">
                <HitLines text={hit.snippet} words={words} />
              </span>
            </a>
            {mayWrite && hit.type === 'message' && !isAgentId(hit.session_id) && (
              <button
                type="button"
                class="link small"
                onClick={() => setRedacting(hit)}
                aria-label={`Redact #${hit.seq}`}
              >
                redact…
              </button>
            )}
          </li>
        ))}
      </ul>
      {redacting !== undefined && <Redacting hit={redacting} onClose={close} />}
    </section>
  )
}

function Redacting({ hit, onClose }: { hit: WireSearchHit; onClose: () => void }) {
  return <RedactDialog seq={hit.seq} changes={useChanges(hit.session_id)} onClose={onClose} />
}
