import { useState } from 'preact/hooks'
import { useChanges } from '../../hooks/use-changes.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import { useSession } from '../../hooks/use-session.ts'
import { useSpent } from '../../hooks/use-spent.ts'
import { go, type PageRoute, routeHash } from '../../state/page-route.ts'
import { sessionName } from '../../text/session-name.ts'
import { visibleLine } from '../../text/visible.ts'
import { CompactDialog } from '../compaction/compact-dialog.tsx'
import { CompactionScreen } from '../compaction/compaction-screen.tsx'
import { Running } from '../compaction/running.tsx'
import { NotThere } from '../not-there.tsx'
import { type Chrome, TopBar } from '../top-bar.tsx'
import { EntryPanel } from './entry-panel.tsx'
import { Gauge } from './gauge.tsx'
import { Overview } from './overview.tsx'
import { SessionView } from './session-view.tsx'
import { ShareDialog } from './share-dialog.tsx'

type SessionData = NonNullable<ReturnType<typeof useSession>['data']>
type Changes = ReturnType<typeof useChanges>

/** One session: the gauge on top, and below it the chart with the log, or one of the compactions. */
export function SessionScreen({ id, route, chrome }: { id: string; route: PageRoute; chrome: Chrome }) {
  const session = useSession(id)
  const changes = useChanges(id)
  const spent = useSpent(id, session.lastSeq)
  const [compacting, setCompacting] = useState(false)
  const [sharing, setSharing] = useState(false)
  const { data } = session
  const isGone = data === undefined && session.error !== undefined
  useSessionKeys(route, data, changes, () => setCompacting(true))
  const title = data === undefined ? 'Session' : sessionName(data.detail, 120)
  return (
    <>
      <TopBar chrome={chrome} live={isGone ? undefined : session.live}>
        <Trail id={id} title={title} compaction={route.compaction} />
      </TopBar>
      {session.error !== undefined && !isGone && (
        <p class="bad banner" role="alert">
          {session.error}
        </p>
      )}
      {isGone && (
        <main class="blank">
          <NotThere why={session.error ?? ''} to={routeHash({})} label="All sessions" />
        </main>
      )}
      {data === undefined ? (
        !isGone && <main class="blank" aria-busy="true" />
      ) : (
        <main class={route.entry === undefined ? 'session' : 'session with-entry'}>
          <Gauge
            context={data.context}
            detail={data.detail}
            spent={spent}
            changes={changes}
            onCompact={() => setCompacting(true)}
            onShare={() => setSharing(true)}
          />
          {session.compaction !== undefined && !compacting && (
            <section class="under-way" aria-label="A compaction is running">
              <Running run={session.compaction} onCancel={changes.allowed ? changes.cancelCompaction : undefined} />
            </section>
          )}
          <Columns session={session} data={data} spent={spent} route={route} />
        </main>
      )}
      {sharing && <ShareDialog id={id} onClose={() => setSharing(false)} />}
      {compacting && data !== undefined && (
        <CompactDialog
          id={id}
          context={data.context}
          noModel={data.detail.no_model}
          onClose={() => setCompacting(false)}
          onUndo={changes.undo}
        />
      )}
    </>
  )
}

/** From all sessions to this one, and to the compaction that is shown. */
function Trail({ id, title, compaction }: { id: string; title: string; compaction: number | undefined }) {
  return (
    <>
      <a href={routeHash({})}>Sessions</a>
      <span aria-hidden="true">/</span>
      {compaction === undefined ? (
        <h1 title={visibleLine(id)}>{title}</h1>
      ) : (
        <>
          <a href={routeHash({ session: id })}>{title}</a>
          <span aria-hidden="true">/</span>
          <h1>
            <span class="wide">Compaction </span>#{compaction}
          </h1>
        </>
      )}
    </>
  )
}

/** The log or a compaction, and beside it one entry or the overview. */
function Columns({
  session,
  data,
  spent,
  route,
}: {
  session: ReturnType<typeof useSession>
  data: SessionData
  spent: ReturnType<typeof useSpent>
  route: PageRoute
}) {
  return (
    <div class="columns">
      {route.compaction === undefined ? (
        <SessionView session={session} data={data} spent={spent} route={route} />
      ) : (
        <CompactionScreen session={session} seq={route.compaction} seqs={seqsOf(data)} route={route} />
      )}
      {route.entry === undefined ? (
        route.compaction === undefined && <Overview data={data} spent={spent} route={route} lastSeq={session.lastSeq} />
      ) : (
        <EntryPanel session={session} spent={spent} route={route} seq={route.entry} onClose={() => goBack(route)} />
      )}
    </div>
  )
}

/** The keys of a session: its compactions one after the other, and what may be done with it. */
function useSessionKeys(route: PageRoute, data: SessionData | undefined, changes: Changes, compact: () => void): void {
  const step = (by: 1 | -1) => {
    const seqs = seqsOf(data)
    const from = route.compaction ?? (by === 1 ? 0 : Number.POSITIVE_INFINITY)
    const to = by === 1 ? seqs.find((seq) => seq > from) : seqs.findLast((seq) => seq < from)
    if (to !== undefined) go({ session: route.session, compaction: to })
  }
  useKeys({
    '[': () => step(-1),
    ']': () => step(1),
    c: changes.allowed ? compact : undefined,
    u: changes.allowed && data?.detail.undo !== undefined ? changes.undo : undefined,
    r: changes.allowed && data?.detail.redo !== undefined ? changes.redo : undefined,
    Escape: () => goBack(route),
  })
}

function seqsOf(data: SessionData | undefined): number[] {
  return (data?.compactions ?? []).map(({ seq }) => seq)
}

/** From an entry to the session or the compaction, from a compaction to the session, and from that to all. */
function goBack(route: PageRoute): void {
  if (route.entry !== undefined) go({ ...route, entry: undefined })
  else go(route.compaction === undefined ? {} : { session: route.session })
}
