import { basename } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { shortSessionId } from '../../contract/shapes/agent-id.ts'
import type { MachineMemories, ServedMemory, ServedProject } from '../../server/sessions/project-memories.ts'
import { LOCAL_OWNER, type SessionId, type Store } from '../../store/store.ts'
import type { AgentIndex } from '../sessions/agent-index.ts'
import { type Setup, sessionsIn } from '../setup/setup.ts'
import { type BuiltMemory, buildMemory, sessionProject } from './build-memory.ts'
import type { Project } from './project-of.ts'

/** A session of the owner of this machine. */
type PlacedSession = {
  readonly id: SessionId
  readonly folder: string
  readonly updatedAt: number
  readonly project: Project
  readonly isEmpty?: boolean
}

/** A memory that is made, and the last one that was. */
type Building = { running?: Promise<void>; waiting: number; last?: BuiltMemory }

/** The memories that `pith memory` makes, for a server. Each is made in the background: an answer waits for a moment only. */
export function machineMemories(setup: Setup, agents: () => AgentIndex): MachineMemories {
  const stop = new AbortController()
  const builds = new Map<string, Building>()
  const sessions = async (store: Store) => {
    const waiting = await agents().update({ signal: stop.signal, withinMs: ANSWER_MS })
    return { all: await placedSessions(store, agents()), waiting }
  }
  const building = (project: Project): Building => {
    const build = builds.get(project.key) ?? { waiting: 0 }
    builds.set(project.key, build)
    const progress = (done: number, all: number) => {
      build.waiting = all - done
    }
    build.running ??= buildMemory(setup, project, { signal: stop.signal, progress })
      .then((built) => {
        build.last = built
      })
      .finally(() => {
        build.waiting = 0
        build.running = undefined
      })
    return build
  }
  return {
    async projects(store) {
      const { all, waiting } = await sessions(store)
      return { projects: projectsOf(all), waiting }
    },
    async of(store, folder) {
      const { all, waiting } = await sessions(store)
      // Nobody knows yet which projects there are.
      if (waiting > 0) return { ...NOTHING_YET, project: basename(folder), waiting }
      // Only folders of sessions are looked at: a request must not lead to any other.
      const project = all.find((session) => session.folder === folder)?.project
      if (project === undefined) return undefined
      const build = building(project)
      await Promise.race([build.running, wait(ANSWER_MS, undefined, { ref: false })])
      const ids = new Map(
        all.filter((each) => each.project.key === project.key).map(({ id }) => [shortSessionId(id), id]),
      )
      return {
        ...(build.last ?? NOTHING_YET),
        project: project.name,
        sessionOf: (id) => ids.get(id),
        waiting: build.running === undefined ? 0 : Math.max(1, build.waiting),
      }
    },
    async close() {
      stop.abort()
      await Promise.allSettled([...builds.values()].map(({ running }) => running))
    },
  }
}

/** How long an answer waits. */
const ANSWER_MS = 2_000

const NOTHING_YET = {
  memory: { sessions: 0, upTo: 0 },
  page: { text: '', tokens: 0, rows: [] },
  sessionOf: () => undefined,
} satisfies Partial<ServedMemory>

async function placedSessions(store: Store, agents: AgentIndex): Promise<PlacedSession[]> {
  const known = new Map<string, Project>()
  const placed = (id: SessionId, folder: string, updatedAt: number, repository?: string): PlacedSession => {
    const place = `${folder}\n${repository ?? ''}`
    const project = known.get(place) ?? sessionProject(folder, repository)
    known.set(place, project)
    return { id, folder, updatedAt, project }
  }
  const recorded = await agents.recorded(store)
  const all = agents
    .files()
    .flatMap(({ session, workspace = '', modifiedAt, repository }) =>
      workspace === '' || recorded.has(session) ? [] : [placed(session, workspace, modifiedAt, repository)],
    )
  for await (const { id, workspace, updatedAt, lastSeq } of sessionsIn(store, { owner: LOCAL_OWNER }))
    if (workspace !== '') all.push({ ...placed(id, workspace, updatedAt), isEmpty: lastSeq === 0 })
  return all.toSorted((a, b) => b.updatedAt - a.updatedAt)
}

function projectsOf(sessions: readonly PlacedSession[]): ServedProject[] {
  const said = sessions.filter(({ isEmpty }) => isEmpty !== true)
  return [...Map.groupBy(said, ({ project }) => project.key).values()].flatMap((some) => {
    const [newest] = some
    if (newest === undefined) return []
    const { project, folder, updatedAt } = newest
    return [{ name: project.name, folder, sessions: some.length, updatedAt }]
  })
}
