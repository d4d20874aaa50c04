import { useEffect, useState } from 'preact/hooks'
import type { WireAgentSession } from '../../../src/contract/shapes/shapes.ts'
import { count, percentOf } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { routeHash } from '../../state/page-route.ts'
import type { SessionFilter } from '../../state/session-filter.ts'
import { LOCAL_OWNER } from '../../text/first-steps.ts'
import { ago, localDateTime } from '../../text/times.ts'
import { visibleLine } from '../../text/visible.ts'
import { Fullness } from './fullness.tsx'

type Props = { words: string; filter: SessionFilter; onOpen: (id: string) => void }

/** The sessions of other agents on this machine that match the words and the filter. Their cost is not known here. */
export function AgentSessionList({ words, filter, onOpen }: Props) {
  const wanted = words.trim().toLowerCase()
  const isWanted = ({ title = '', workspace = '', agent, model = '', level }: WireAgentSession) =>
    `${title} ${workspace} ${agent}`.toLowerCase().includes(wanted) &&
    (filter.agent === '' || filter.agent === agent) &&
    (filter.model === '' || filter.model === model) &&
    (filter.folder === '' || filter.folder === workspace) &&
    (filter.level === '' || filter.level === level) &&
    filter.min_cost === '' &&
    filter.problems === ''
  const sessions = useAgentSessions().filter(isWanted)
  if (sessions.length === 0) return null
  return (
    <section class="agent-sessions">
      <h2>
        Other agents on this machine{' '}
        <span class="soft small">their own files, read-only, as they grow; not in the sums</span>
      </h2>
      <table class="sessions">
        <thead>
          <tr>
            <th>Session</th>
            <th class="wide">Folder</th>
            <th class="context">Context</th>
            <th class="number entries">Messages</th>
            <th class="number changed">Changed</th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <AgentRow key={session.id} session={session} onOpen={onOpen} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

/** If a file was written a moment ago, its agent is working. */
const ACTIVE_MS = 60_000

function AgentRow({ session, onOpen }: { session: WireAgentSession; onOpen: (id: string) => void }) {
  const { id, agent, model, tokens, window, messages, compactions, updated_at } = session
  const title = visibleLine(session.title ?? '', 160)
  const percent = window === undefined ? undefined : (tokens / window) * 100
  return (
    <tr class="session-row" onClick={() => onOpen(id)}>
      <td>
        <a href={routeHash({ session: id })}>{title === '' ? 'Untitled' : title}</a>
        <span class="soft small id">
          {Date.now() - updated_at < ACTIVE_MS && <span class="tag active">active</span>}
          {agent}
          {model !== undefined && ` · ${visibleLine(model, 60)}`}
          {compactions > 0 && ` · compacted ${count(compactions)}×`}
        </span>
      </td>
      <td class="wide soft mono small path-end" title={visibleLine(session.workspace ?? '', 500)}>
        <bdi>{visibleLine(session.workspace ?? '', 200)}</bdi>
      </td>
      <td>
        <Fullness {...session} percent={percent} text={percentOf(tokens, window, 0)} />
      </td>
      <td class="number entries">{count(messages)}</td>
      <td class="number soft" title={localDateTime(updated_at)}>
        {ago(updated_at, Date.now())}
      </td>
    </tr>
  )
}

/** Agents write their files without any event, so the list is loaded again while it may be visible. */
const AGAIN_MS = 4_000

/** The sessions of other agents on the machine of the server; none for a token that may not see them. */
function useAgentSessions(): readonly WireAgentSession[] {
  const { client, owner } = useApp()
  const [sessions, setSessions] = useState<readonly WireAgentSession[]>([])
  useEffect(() => {
    // The server refuses all others.
    if (owner !== LOCAL_OWNER) return
    const stop = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const load = async () => {
      if (!document.hidden) {
        const answer = await client.ask<{ sessions: WireAgentSession[] }>('/v1/agent-sessions', { signal: stop.signal })
        if (stop.signal.aborted) return
        if (answer.ok) setSessions(answer.value.sessions)
      }
      timer = setTimeout(load, AGAIN_MS)
    }
    void load()
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [client, owner])
  return sessions
}
