import type { WireAgentSession } from '../../src/contract/shapes.ts'
import { count, percentOf } from '../../src/engine/report/numbers.ts'
import { hashOf } from '../state/page-route.ts'
import { useAgentSessions } from '../state/use-agent-sessions.ts'
import { ago, dateTime } from '../text/times.ts'
import { visibleLine } from '../text/visible.ts'

/** The sessions of other agents on this machine whose title, workspace or agent has these words. */
export function AgentSessionList({ words, onOpen }: { words: string; onOpen: (id: string) => void }) {
  const wanted = words.trim().toLowerCase()
  const sessions = useAgentSessions().filter(({ title = '', workspace = '', agent }) =>
    `${title} ${workspace} ${agent}`.toLowerCase().includes(wanted),
  )
  if (sessions.length === 0) return null
  return (
    <section class="agent-sessions">
      <h2>
        Other agents on this machine <span class="soft small">read-only, as they grow</span>
      </h2>
      <table class="sessions">
        <thead>
          <tr>
            <th>Session</th>
            <th class="wide">Workspace</th>
            <th class="context">Context</th>
            <th class="number entries">Messages</th>
            <th class="number">Changed</th>
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

function AgentRow({ session, onOpen }: { session: WireAgentSession; onOpen: (id: string) => void }) {
  const { id, agent, tokens, window, messages, compactions, updated_at } = session
  const title = visibleLine(session.title ?? '', 160)
  const percent = window === undefined ? 0 : Math.min(100, (tokens / window) * 100)
  return (
    <tr class="session-row" onClick={() => onOpen(id)}>
      <td>
        <a href={hashOf({ session: id })}>{title === '' ? 'Untitled' : title}</a>
        <span class="soft mono small id">
          {agent}
          {compactions > 0 && ` · compacted ${count(compactions)}×`}
        </span>
      </td>
      <td class="wide soft mono small">{visibleLine(session.workspace ?? '', 80)}</td>
      <td>
        <span class="fullness" title={`${count(tokens)} tokens`}>
          <span class="bar">
            <i class="fill" style={{ width: `${percent}%` }} />
          </span>
          <span class="number">{percentOf(tokens, window, 0)}</span>
        </span>
      </td>
      <td class="number entries">{count(messages)}</td>
      <td class="number soft" title={dateTime(updated_at)}>
        {ago(updated_at, Date.now())}
      </td>
    </tr>
  )
}
