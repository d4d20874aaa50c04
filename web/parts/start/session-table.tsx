import type { WireOverviewSession } from '../../../src/contract/routes/overview-routes.ts'
import { count, percentText, spentText } from '../../../src/engine/report/numbers.ts'
import { useApp } from '../../hooks/app-context.ts'
import { routeHash } from '../../state/page-route.ts'
import { ago, localDateTime } from '../../text/times.ts'
import { sessionName, visibleLine } from '../../text/visible.ts'
import { Fullness } from './fullness.tsx'

type Props = {
  readonly sessions: readonly WireOverviewSession[]
  readonly selected: number
  readonly onOpen: (id: string) => void
  readonly onManage: (session: WireOverviewSession) => void
}

/** The sessions of the start screen, one per row. */
export function SessionTable({ sessions, selected, onOpen, onManage }: Props) {
  const { mayWrite } = useApp()
  const hasFolders = sessions.some((session) => session.workspace !== '')
  return (
    <table class="sessions">
      <thead>
        <tr>
          <th>Session</th>
          {hasFolders && <th class="wide">Folder</th>}
          <th class="context">Context</th>
          <th class="number cost">Cost</th>
          <th class="number entries">Entries</th>
          <th class="number changed">Changed</th>
          {mayWrite && (
            <th class="manage">
              <span class="hidden-text">Manage</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {sessions.map((session, i) => (
          <Row
            key={session.id}
            session={session}
            hasFolders={hasFolders}
            isSelected={i === selected}
            onOpen={onOpen}
            onManage={mayWrite ? onManage : undefined}
          />
        ))}
      </tbody>
    </table>
  )
}

type RowProps = {
  readonly session: WireOverviewSession
  readonly hasFolders: boolean
  readonly isSelected: boolean
  readonly onOpen: (id: string) => void
  readonly onManage: ((session: WireOverviewSession) => void) | undefined
}

function Row({ session, hasFolders, isSelected, onOpen, onManage }: RowProps) {
  const { id, status, spent, problems } = session
  const title = sessionName(session, 160)
  return (
    <tr class={isSelected ? 'session-row selected' : 'session-row'} onClick={() => onOpen(id)}>
      <td>
        <a href={routeHash({ session: id })}>{title}</a>
        <span class="soft small id" title={id}>
          <Activity session={session} />
          {[agentOf(session), session.model ?? '', session.parent === undefined ? '' : `fork at #${session.parent.seq}`]
            .filter((text) => text !== '')
            .map((text) => visibleLine(text, 60))
            .join(' · ')}
          {problems > 0 && <span class="tag warn">went wrong {count(problems)}×</span>}
        </span>
      </td>
      {hasFolders && (
        <td class="wide soft mono small path-end" title={visibleLine(session.workspace, 500)}>
          <bdi>{visibleLine(session.workspace, 200)}</bdi>
        </td>
      )}
      <td>{status !== undefined && <Fullness {...status} text={percentText(status)} />}</td>
      <td class="number cost">{spent !== undefined && spentText(spent)}</td>
      <td class="number entries">{count(session.last_seq)}</td>
      <td class="number soft" title={localDateTime(session.updated_at)}>
        {ago(session.updated_at, Date.now())}
      </td>
      {onManage !== undefined && (
        <td class="manage">
          <button
            type="button"
            class="icon"
            aria-label={`Manage ${title}`}
            title="Rename, settings, delete (m)"
            onClick={(event) => {
              event.stopPropagation()
              onManage(session)
            }}
          >
            ⋯
          </button>
        </td>
      )}
    </tr>
  )
}

/** The origin of a session is in its log, so it is not known before the log is read. */
function agentOf({ status, agent }: WireOverviewSession): string {
  return status === undefined ? '' : agent
}

/** In a session that changed a moment ago, an agent is probably working. */
const ACTIVE_MS = 2 * 60_000

const RUNNING = { turn: 'answering', compaction: 'compacting', other: 'working' } as const

function Activity({ session: { running, updated_at } }: { session: WireOverviewSession }) {
  if (running !== undefined) return <span class="tag active">{RUNNING[running]}</span>
  return Date.now() - updated_at < ACTIVE_MS ? <span class="tag active">active</span> : null
}
