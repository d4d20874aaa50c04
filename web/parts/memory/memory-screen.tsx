import type {
  WireMemory,
  WireMemoryRow,
  WireProject,
  WireProjects,
} from '../../../src/contract/routes/memory-routes.ts'
import { count, counted } from '../../../src/engine/report/numbers.ts'
import { useKeys } from '../../hooks/use-keys.ts'
import { useWaiting } from '../../hooks/use-waiting.ts'
import { go, routeHash } from '../../state/page-route.ts'
import { visibleLine } from '../../text/visible.ts'
import { type Chrome, TopBar } from '../top-bar.tsx'

/** The memory of a project: what its sessions left for the next one. An empty folder means the project that was used last. */
export function MemoryScreen({ folder, chrome }: { folder: string; chrome: Chrome }) {
  const { value: found, failure } = useWaiting<WireProjects>('/v1/projects')
  const projects = found?.projects ?? []
  const shown = folder === '' ? projects[0]?.folder : folder
  useKeys({
    Escape: () => go({}),
    ArrowDown: () => moveFocus(1),
    ArrowUp: () => moveFocus(-1),
    j: () => moveFocus(1),
    k: () => moveFocus(-1),
  })
  return (
    <>
      <TopBar chrome={chrome} live={undefined}>
        <a href={routeHash({})}>Sessions</a>
        <span aria-hidden="true">/</span>
        <h1>Memory</h1>
      </TopBar>
      <main class="list memory">
        {failure !== undefined && <p class="bad card">{failure.message}</p>}
        {projects.length > 0 && <ProjectChoice projects={projects} folder={shown} />}
        {shown !== undefined && <Memory key={shown} folder={shown} />}
        {shown === undefined && found !== undefined && <NoProject waiting={found.waiting} />}
      </main>
    </>
  )
}

function NoProject({ waiting }: { waiting: number }) {
  const text = waiting > 0 ? reading(waiting) : 'No session has worked in a folder yet.'
  return (
    <p class="empty" role="status">
      {text}
    </p>
  )
}

function reading(waiting: number): string {
  return `Reading ${counted(waiting, 'session')}…`
}

/** Moves the focus to the entry of the next line, or of the one before. */
function moveFocus(by: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLElement>('.memory-row a')]
  const at = links.findIndex((link) => link.matches(':focus'))
  const next = links[at === -1 ? 0 : at + by]
  next?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

function ProjectChoice({ projects, folder }: { projects: readonly WireProject[]; folder: string | undefined }) {
  // A folder of an older session is not in the list, but may be asked for.
  const others = projects.some((project) => project.folder === folder) || folder === undefined ? [] : [folder]
  return (
    <label class="memory-project">
      Project
      <select value={folder} onChange={(event) => go({ memory: event.currentTarget.value })}>
        {projects.map((project) => (
          <option key={project.folder} value={project.folder}>
            {visibleLine(project.name, 60)} · {visibleLine(project.folder, 120)} ·{' '}
            {counted(project.sessions, 'session')}
          </option>
        ))}
        {others.map((other) => (
          <option key={other} value={other}>
            {visibleLine(other, 120)}
          </option>
        ))}
      </select>
    </label>
  )
}

const TITLES: readonly (readonly [WireMemoryRow['section'], string])[] = [
  ['pinned', 'Pinned by you'],
  ['rules', 'Rules that you stated'],
  ['commands', 'Build, test and run'],
  ['deadEnds', 'Tried and given up'],
  ['halfDone', 'Left half-done'],
  ['places', 'Files that sessions here start with and change most'],
]

function Memory({ folder }: { folder: string }) {
  const { value, failure } = useWaiting<WireMemory>(`/v1/memory?folder=${encodeURIComponent(folder)}`)
  if (failure !== undefined) return <p class="bad card">{failure.message}</p>
  return (
    <>
      <p class="soft small" role="status">
        {value === undefined ? 'Reading…' : memoryText(value)}
      </p>
      {TITLES.map(([section, title]) => {
        const rows = value?.rows.filter((row) => row.section === section) ?? []
        return rows.length > 0 && <Section key={section} title={title} rows={rows} />
      })}
    </>
  )
}

function memoryText({ rows, sessions, tokens, up_to, waiting }: WireMemory): string {
  if (waiting > 0) return reading(waiting)
  if (rows.length === 0) return `${counted(sessions, 'session')} left nothing that lasts.`
  const until = up_to === 0 ? '' : `, the last on ${dayOf(up_to)}`
  return `From ${counted(sessions, 'session')}${until} · ${count(tokens)} tokens · without a model`
}

/** The day as the page for agents has it: in UTC. */
function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10)
}

function Section({ title, rows }: { title: string; rows: readonly WireMemoryRow[] }) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <ul class="card">
        {rows.map((row) => (
          <Row key={`${row.text} ${row.session_id} ${row.seq}`} row={row} />
        ))}
      </ul>
    </section>
  )
}

function Row({ row: { text, at, session_id, seq } }: { row: WireMemoryRow }) {
  return (
    <li class="memory-row">
      <span class="memory-text" dir="auto">
        <Words text={visibleLine(text, 2_000)} />
      </span>
      <span class="soft small memory-place">
        {at > 0 && dayOf(at)}{' '}
        {session_id !== undefined && seq !== undefined && (
          <a class="handle" href={routeHash({ session: session_id, entry: seq })} title="Open the entry that shows it">
            #{seq}
          </a>
        )}
      </span>
    </li>
  )
}

/** A line, with the commands in it as code. */
function Words({ text }: { text: string }) {
  return text.split('`').map((piece, i) => (i % 2 === 0 ? piece : <code key={i}>{piece}</code>))
}
