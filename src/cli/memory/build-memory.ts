import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { shortSessionId } from '../../contract/shapes/agent-id.ts'
import { messageOf } from '../../model/problems/errors.ts'
import { wholeLog } from '../../session/entries-in.ts'
import { originIn } from '../../session/import/origin.ts'
import { keepPage, projectPage } from '../../store/memory-pages.ts'
import type { SessionId, Store } from '../../store/store.ts'
import { LOCAL_OWNER } from '../../store/store.ts'
import { type MemoryPage, memoryPage } from '../../study/memory/memory-page.ts'
import {
  memoryOf,
  type ProjectMemory,
  type ProjectNow,
  type ProjectSession,
} from '../../study/memory/project-memory.ts'
import { sessionNotes } from '../../study/memory/session-notes.ts'
import { note } from '../output/show.ts'
import { AgentIndex, type KeptNotes } from '../sessions/agent-index.ts'
import { hasStore, type Setup, sessionsIn, withStoreToRead } from '../setup/setup.ts'
import { type KeptMemory, keptMemory } from './kept-memory.ts'
import { type Project, projectOf, repositoryKey, repositoryName } from './project-of.ts'

/** How many sessions were read, and how many are to be. */
type Progress = (done: number, all: number) => void

type BuildOptions = { readonly signal: AbortSignal; readonly progress?: Progress | undefined }

/** A memory that was just made, and its page, which is kept as the last finished one. */
export type BuiltMemory = { readonly memory: ProjectMemory; readonly page: MemoryPage; readonly kept: KeptMemory }

/** Makes the memory of a project from the sessions of all agents on this machine and ours. Only what changed is read again. */
export async function buildMemory(setup: Setup, project: Project, options: BuildOptions): Promise<BuiltMemory> {
  const { data } = setup.folders
  const isOf = projectCheck(project)
  const agents = new AgentIndex(data, isOf)
  try {
    await agents.update({ signal: options.signal, ...(options.progress && { progress: options.progress }) })
    const sessions = await projectSessions(setup, agents, isOf, options)
    const memory = memoryOf(notedSessions(sessions), await projectNow(project))
    const kept = keptMemory(data, project)
    const page = memoryPage(memory, { name: project.name, changes: kept.changes })
    keepPage(projectPage(data, project.key), page.text)
    return { memory, page, kept }
  } finally {
    await agents.close()
  }
}

type KeptSession = { readonly id: string; readonly kept: KeptNotes }

/** Of older sessions only what lasts matters: which files they used counts for nothing after so many others. */
function notedSessions(sessions: readonly KeptSession[]): ProjectSession[] {
  const inOrder = sessions.toSorted((a, b) => b.kept.to - a.kept.to)
  return inOrder.map(({ id, kept }, i) => ({ id, notes: i < RECENT ? kept.whole() : kept.lasting() }))
}

const RECENT = 60

async function projectSessions(
  setup: Setup,
  agents: AgentIndex,
  isOf: ProjectCheck,
  options: BuildOptions,
): Promise<KeptSession[]> {
  if (!hasStore(setup)) return agentNotes(agents, isOf, new Set(), options)
  return withStoreToRead(setup, async (store) => {
    const recorded = await agents.recorded(store)
    const theirs = await agentNotes(agents, isOf, recorded, options)
    return [...theirs, ...(await storedNotes(store, agents, isOf, options.signal))]
  })
}

/** Finds the root of the project that a session worked in; undefined for another project. Each folder is looked at once. */
function projectCheck({ key }: Project): (workspace: string, repository?: string) => string | undefined {
  const roots = new Map<string, string | undefined>()
  return (workspace, repository) => {
    const place = `${workspace}\n${repository ?? ''}`
    if (!roots.has(place)) roots.set(place, rootIn(key, workspace, repository))
    return roots.get(place)
  }
}

function rootIn(key: string, workspace: string, repository: string | undefined): string | undefined {
  const found = sessionProject(workspace, repository)
  return found.key === key ? found.root : undefined
}

/** The project that a session worked in. */
export function sessionProject(workspace: string, repository: string | undefined): Project {
  const found = projectOf(workspace)
  if (existsSync(workspace)) return found
  // A folder that is gone may have been a worktree: the address in its session says of what.
  if (repository !== undefined && !isAbsolute(repository))
    return { ...found, name: repositoryName(repository), key: repositoryKey(repository), root: workspace }
  return { ...found, root: WORKTREE.exec(workspace)?.[0] ?? found.root }
}

/** Where agents put their worktrees. */
const WORKTREE = /^.*\/\.?worktrees\/[^/]+/

type ProjectCheck = ReturnType<typeof projectCheck>

async function agentNotes(
  agents: AgentIndex,
  isOf: ProjectCheck,
  recorded: ReadonlySet<SessionId>,
  { signal, progress }: BuildOptions,
): Promise<KeptSession[]> {
  const files = agents.files().filter(({ session }) => !recorded.has(session))
  const sessions: KeptSession[] = []
  for (const [i, file] of files.entries()) {
    const { session, workspace, repository } = file
    const root = workspace === undefined ? undefined : isOf(workspace, repository)
    if (root === undefined) continue
    let kept = agents.memory(session)
    if (kept === undefined) {
      const notes = await agents.read(session, (log) => sessionNotes({ ...log, root }))
      signal.throwIfAborted()
      progress?.(i, files.length)
      if (notes !== undefined) kept = agents.keepMemory(session, notes)
      await nextTurn()
    }
    if (kept !== undefined) sessions.push({ id: shortSessionId(session), kept })
  }
  return sessions
}

async function storedNotes(
  store: Store,
  agents: AgentIndex,
  isOf: ProjectCheck,
  signal: AbortSignal,
): Promise<KeptSession[]> {
  const sessions: KeptSession[] = []
  const isOrdered = await orderedCheck(store, agents)
  for await (const { id, workspace, lastSeq } of sessionsIn(store, { owner: LOCAL_OWNER })) {
    const root = lastSeq === 0 ? undefined : isOf(workspace)
    if (root === undefined) continue
    signal.throwIfAborted()
    const isDelegated = isOrdered(id)
    const kind = isDelegated ? `delegated ${id}` : id
    const take = async () => {
      const entries = await wholeLog(store, id)
      return sessionNotes({ entries, workspace, root, isDelegated: isDelegated || originIn(entries) !== undefined })
    }
    try {
      const kept = agents.storedMemory(kind, lastSeq) ?? agents.keepStoredMemory(kind, lastSeq, await take())
      sessions.push({ id: shortSessionId(id), kept })
    } catch (error) {
      note(`Session ${id} cannot be read and is left out of the memory: ${messageOf(error)}`)
    }
  }
  return sessions
}

/**
 * True for a session that a gateway recorded, if nothing shows that a person gave the orders in it: an agent may have started
 * another one. Only the agent's own file says who did.
 */
async function orderedCheck(store: Store, agents: AgentIndex): Promise<(id: SessionId) => boolean> {
  const recorded = new Set<SessionId>()
  for await (const { id } of sessionsIn(store, { owner: LOCAL_OWNER, isChained: true })) recorded.add(id)
  const typed = recorded.size === 0 ? new Set<SessionId>() : await agents.recordedOfUser(store)
  return (id) => recorded.has(id) && !typed.has(id)
}

/** The project as it is on the disk. */
async function projectNow({ root, isRepository }: Project): Promise<ProjectNow> {
  return { has: (path) => existsSync(join(root, path)), dirty: isRepository ? await dirtyFiles(root) : undefined }
}

/** The files that git calls changed or new; undefined if it does not answer. */
function dirtyFiles(root: string): Promise<ReadonlySet<string> | undefined> {
  const { promise, resolve } = Promise.withResolvers<ReadonlySet<string> | undefined>()
  const args = ['--no-optional-locks', '-c', 'core.fsmonitor=false', 'status', '--porcelain', '-z']
  const git = spawn('git', args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'], timeout: GIT_MS })
  let text = ''
  git.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  git.on('error', () => resolve(undefined))
  git.on('close', (code) => resolve(code === 0 ? changedIn(text) : undefined))
  return promise
}

const GIT_MS = 5_000

/** `XY path`, and for a renamed file the old path after it. */
function changedIn(text: string): ReadonlySet<string> {
  return new Set(text.split('\0').map((entry) => (/^.. /.test(entry) ? entry.slice(3) : entry)))
}
