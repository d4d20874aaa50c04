import { useState } from 'preact/hooks'
import type { WireSession, WireStatus } from '../../src/contract/shapes.ts'
import { count, percentText } from '../../src/engine/report/numbers.ts'
import { hashOf } from '../state/page-route.ts'
import { useKeys } from '../state/use-keys.ts'
import { useList } from '../state/use-list.ts'
import { useStatuses } from '../state/use-statuses.ts'
import { ago, dateTime } from '../text/times.ts'
import { visibleLine } from '../text/visible.ts'
import { AgentSessionList } from './agent-sessions.tsx'
import { ImportButton } from './import-button.tsx'
import { type Chrome, TopBar } from './top-bar.tsx'

/** The list of sessions, the newest first, with a search. */
export function Sessions({ chrome, onOpen }: { chrome: Chrome; onOpen: (id: string) => void }) {
  const [words, setWords] = useState('')
  const [at, setAt] = useState(0)
  const list = useList(words)
  const sessions = list.sessions ?? []
  const statuses = useStatuses(sessions)
  const hasWorkspaces = sessions.some((session) => session.workspace !== '')
  const selected = Math.min(at, sessions.length - 1)
  const move = (to: number) => {
    setAt(Math.max(0, Math.min(sessions.length - 1, to)))
    document.querySelectorAll('.session-row')[to]?.scrollIntoView({ block: 'nearest' })
  }
  const open = () => {
    const session = sessions[selected]
    if (session !== undefined) onOpen(session.id)
  }
  const keys = {
    ArrowDown: () => move(selected + 1),
    ArrowUp: () => move(selected - 1),
    Home: () => move(0),
    End: () => move(sessions.length - 1),
  }
  useKeys({ ...keys, j: keys.ArrowDown, k: keys.ArrowUp, Enter: open })
  return (
    <>
      <TopBar chrome={chrome} live={list.live}>
        <h1>Sessions</h1>
      </TopBar>
      <main class="list">
        <div class="list-head">
          <input
            type="search"
            aria-label="Search sessions"
            placeholder="Search title and workspace"
            value={words}
            onInput={(event) => setWords(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter') open()
              if (event.key === 'ArrowDown' || event.key === 'ArrowUp') keys[event.key]()
            }}
          />
          <span class="soft">
            {list.sessions !== undefined && `${count(sessions.length)}${list.more ? '+' : ''} shown`}
          </span>
          <ImportButton onOpen={onOpen} />
        </div>
        {list.error !== undefined && <p class="bad card">{list.error}</p>}
        {list.sessions?.length === 0 && <Nothing words={words} />}
        {sessions.length > 0 && (
          <table class="sessions">
            <thead>
              <tr>
                <th>Session</th>
                {hasWorkspaces && <th class="wide">Workspace</th>}
                <th class="context">Context</th>
                <th class="number entries">Entries</th>
                <th class="number">Changed</th>
              </tr>
            </thead>
            <tbody>
              {sessions.map((session, i) => (
                <Row
                  key={session.id}
                  session={session}
                  status={statuses.get(session.id)}
                  hasWorkspaces={hasWorkspaces}
                  isSelected={i === selected}
                  onOpen={onOpen}
                />
              ))}
            </tbody>
          </table>
        )}
        {list.more !== undefined && (
          <button type="button" onClick={list.more}>
            Show more
          </button>
        )}
        <AgentSessionList words={words} onOpen={onOpen} />
      </main>
    </>
  )
}

type RowProps = {
  readonly session: WireSession
  readonly status: WireStatus | undefined
  readonly hasWorkspaces: boolean
  readonly isSelected: boolean
  readonly onOpen: (id: string) => void
}

function Row(props: RowProps) {
  const { session } = props
  const title = visibleLine(session.title ?? '', 160)
  return (
    <tr class={props.isSelected ? 'session-row selected' : 'session-row'} onClick={() => props.onOpen(session.id)}>
      <td>
        <a href={hashOf({ session: session.id })}>{title === '' ? 'Untitled' : title}</a>
        <span class="soft mono small id">
          {visibleLine(session.id)}
          {session.parent !== undefined && ` · fork at #${session.parent.seq}`}
        </span>
      </td>
      {props.hasWorkspaces && <td class="wide soft mono small">{visibleLine(session.workspace, 80)}</td>}
      <td>{props.status !== undefined && <Fullness status={props.status} />}</td>
      <td class="number entries">{count(session.last_seq)}</td>
      <td class="number soft" title={dateTime(session.updated_at)}>
        {ago(session.updated_at, Date.now())}
      </td>
    </tr>
  )
}

function Fullness({ status }: { status: WireStatus }) {
  return (
    <span class="fullness" title={`${count(status.tokens)} tokens`}>
      <span class="bar">
        <i class={`fill level-${status.level}`} style={{ width: `${Math.min(100, status.percent ?? 0)}%` }} />
      </span>
      <span class="number">{percentText(status)}</span>
    </span>
  )
}

function Nothing({ words }: { words: string }) {
  return (
    <p class="empty">
      {words.trim() === ''
        ? 'No sessions yet. They appear here as soon as an agent or a program writes one.'
        : `No session has “${visibleLine(words, 60)}” in its title or workspace.`}
    </p>
  )
}
