import { basename } from 'node:path'
import { shortSessionId } from '../../contract/shapes/agent-id.ts'
import { wholeLog } from '../../session/entries-in.ts'
import type { Session, SessionId, Store } from '../../store/store.ts'
import { type MemoryPage, memoryPage } from '../../study/memory/memory-page.ts'
import { memoryOf, type ProjectMemory, type ProjectSession } from '../../study/memory/project-memory.ts'
import { type SessionNotes, sessionNotes } from '../../study/memory/session-notes.ts'

/** A project of somebody's sessions. */
export type ServedProject = {
  readonly name: string
  /** The folder of its newest session. */
  readonly folder: string
  readonly sessions: number
  readonly updatedAt: number
}

/** Projects, and how many sessions are not read yet. */
export type ServedProjects = { readonly projects: readonly ServedProject[]; readonly waiting: number }

/** A memory for an answer. */
export type ServedMemory = {
  readonly project: string
  readonly memory: Pick<ProjectMemory, 'sessions' | 'upTo'>
  readonly page: MemoryPage
  /** The whole id of a session that a line names by a short one. */
  readonly sessionOf: (id: string) => SessionId | undefined
  /** How many sessions are not read yet. Ask again. */
  readonly waiting: number
}

/** The memories of the projects on this machine, as the program that runs the server makes them: for its owner alone. */
export type MachineMemories = {
  projects(store: Store): Promise<ServedProjects>
  /** Undefined if no session worked in the folder. */
  of(store: Store, folder: string): Promise<ServedMemory | undefined>
  close(): Promise<void>
}

const MOST_SESSIONS = 5_000
/** The newest sessions of a folder that a memory is made from. */
const MOST_IN_MEMORY = 500
/** How many sessions' notes are kept; the oldest are dropped first, and taken again when they are needed. */
const MOST_NOTES = 2_000
/** How long an answer waits for sessions that are not read yet. The next answer continues from there. */
const SLICE_MS = 250

/**
 * The memories of the folders of an owner's stored sessions. The folders are on other machines, so nothing here looks at the
 * disk. Each log is read once, and again when it has grown.
 */
export class ProjectMemories {
  readonly #notes = new Map<SessionId, { readonly lastSeq: number; readonly notes: SessionNotes }>()

  async projects(store: Store, owner: string): Promise<ServedProjects> {
    const { sessions } = await store.sessions({ owner, limit: MOST_SESSIONS })
    const byFolder = Map.groupBy(
      sessions.filter(({ workspace, lastSeq }) => workspace !== '' && lastSeq > 0),
      ({ workspace }) => workspace,
    )
    const projects = [...byFolder].map(([folder, some]) => ({
      name: nameOf(folder),
      folder,
      sessions: some.length,
      updatedAt: Math.max(...some.map(({ updatedAt }) => updatedAt)),
    }))
    return { projects: projects.toSorted((a, b) => b.updatedAt - a.updatedAt), waiting: 0 }
  }

  /** Undefined if the owner has no session in the folder. */
  async of(store: Store, owner: string, folder: string): Promise<ServedMemory | undefined> {
    const { sessions: all } = await store.sessions({ owner, workspace: folder, limit: MOST_IN_MEMORY })
    if (all.length === 0) return undefined
    const sessions = all.filter(({ lastSeq }) => lastSeq > 0)
    const until = Date.now() + SLICE_MS
    const noted: ProjectSession[] = []
    let waiting = 0
    for (const session of sessions) {
      const known = this.#known(session)
      if (known === undefined && Date.now() >= until) waiting++
      else {
        // A session that cannot be read must not cost the others.
        const notes = known ?? (await this.#read(store, session).catch(() => undefined))
        if (notes !== undefined) noted.push({ id: shortSessionId(session.id), notes })
      }
    }
    const ids = new Map(sessions.map(({ id }) => [shortSessionId(id), id]))
    const memory = memoryOf(noted)
    const project = nameOf(folder)
    return {
      project,
      memory,
      page: memoryPage(memory, { name: project }),
      sessionOf: (id) => ids.get(id),
      waiting,
    }
  }

  #known({ id, lastSeq }: Session): SessionNotes | undefined {
    const known = this.#notes.get(id)
    return known?.lastSeq === lastSeq ? known.notes : undefined
  }

  async #read(store: Store, { id, workspace, lastSeq }: Session): Promise<SessionNotes> {
    const notes = sessionNotes({ entries: await wholeLog(store, id), workspace })
    this.#notes.delete(id)
    this.#notes.set(id, { lastSeq, notes })
    for (const oldest of [...this.#notes.keys()].slice(0, -MOST_NOTES)) this.#notes.delete(oldest)
    return notes
  }
}

/** The last part of a path of any system. */
function nameOf(folder: string): string {
  return basename(folder.replaceAll('\\', '/'))
}
