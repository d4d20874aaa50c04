import { getMemoryRoute, listProjectsRoute, type WireMemoryRow } from '../../../contract/routes/memory-routes.ts'
import { LOCAL_OWNER } from '../../../store/store.ts'
import type { MemoryRow } from '../../../study/memory/memory-page.ts'
import { HttpError } from '../../http/http-error.ts'
import type { ServedMemory } from '../../sessions/project-memories.ts'
import type { Services } from '../../sessions/services.ts'
import { type Handler, handler } from '../handler.ts'

const listProjects = handler(listProjectsRoute, async ({ caller: { owner } }, services) => {
  const { store, memories } = services
  const { projects, waiting } = await (machineOf(services, owner)?.projects(store) ?? memories.projects(store, owner))
  return { projects: projects.map(({ updatedAt, ...project }) => ({ ...project, updated_at: updatedAt })), waiting }
})

const getMemory = handler(getMemoryRoute, async ({ query: { folder }, caller: { owner } }, services) => {
  const { store, memories } = services
  const made = await (machineOf(services, owner)?.of(store, folder) ?? memories.of(store, owner, folder))
  if (made === undefined)
    throw new HttpError(404, 'unknown-folder', 'this token has no session in that folder: GET /v1/projects lists them')
  const { project, memory, page, waiting } = made
  return {
    project,
    sessions: memory.sessions,
    up_to: memory.upTo,
    text: page.text,
    tokens: page.tokens,
    rows: page.rows.map((row) => wireRow(row, made)),
    waiting,
  }
})

/** The files of agents, and what is pinned and forgotten, are those of the owner of this machine. */
function machineOf({ machineMemories }: Services, owner: string) {
  return owner === LOCAL_OWNER ? machineMemories : undefined
}

/** A row of the page without the date and the handle at its end, which have fields of their own. */
function wireRow({ text, lines, pinned }: MemoryRow, { sessionOf }: ServedMemory): WireMemoryRow {
  const words = text.replace(/ \([^()]*\)$/, '')
  const [first, ...others] = lines
  if (first === undefined || pinned !== undefined)
    return { section: 'pinned', text: words, at: Date.parse(/\(pinned (\S+)\)$/.exec(text)?.[1] ?? '') || 0 }
  const newest = others.reduce((a, b) => (b.at > a.at ? b : a), first)
  const { section, at, session, seq } = newest
  return { section, text: words, at, session_id: sessionOf(session), seq }
}

/** The memories of projects. */
export const memoryHandlers: readonly Handler[] = [listProjects, getMemory]
