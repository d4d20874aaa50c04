import { PithError } from '../../model/problems/errors.ts'
import type { MemoryChanges } from './memory-page.ts'
import type { MemoryLine, ProjectNow, ProjectSession } from './project-memory.ts'
import type { NotedSession } from './session-notes.ts'

/** A session of a project: its log, the folder that its agent worked in, and the id that names it in handles. */
export type MemorySession = NotedSession & { readonly id: string }

/** How a memory is made. Everything has a default. */
export type ProjectMemoryOptions = {
  /** The name of the project, for the heading. */
  readonly name?: string
  /** The most tokens of the page; 2,000 if absent. */
  readonly tokens?: number
  /** The user's own lines, and the lines that the user does not want. */
  readonly changes?: MemoryChanges
  /** The project as it is now: lines about files that are gone and work that is committed disappear. */
  readonly now?: ProjectNow
}

/** The memory of a project as a page of text, and the lines that are on it. */
export type SessionsMemory = {
  /** Empty if there is nothing to remember. */
  readonly text: string
  readonly tokens: number
  /** In the order of the page, without secrets and without the lines of the user's own. */
  readonly lines: readonly MemoryLine[]
  /** How many sessions it is made from; copies count once. */
  readonly sessions: number
  /** When the last session ended, in milliseconds since 1970. */
  readonly upTo: number
}

/**
 * Makes the memory of a project from its sessions: the user's standing rules, the commands that pass, what was tried and given
 * up, what was left half-done, and the files that sessions start with. No model writes it, and nothing is read from the disk.
 * Sessions are taken one after the other, in any order, so that not all of them must be in memory.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 * import { projectMemory } from 'pith'
 * import { decodeText } from 'pith/formats'
 *
 * const read = decodeText(await readFile('session.jsonl', 'utf8'))
 * if (!read.ok) throw new Error(read.text)
 * const { text, lines } = await projectMemory([{ ...read.session, id: 'monday' }], { name: 'shop' })
 * console.log(text, lines.length)
 * ```
 */
export async function projectMemory(
  sessions: Iterable<MemorySession> | AsyncIterable<MemorySession>,
  { name = 'this project', now, ...page }: ProjectMemoryOptions = {},
): Promise<SessionsMemory> {
  // Loaded with the first memory: programs that make none are spared the rules for secrets.
  const [{ sessionNotes }, { memoryOf }, { memoryPage }] = await Promise.all([
    import('./session-notes.ts'),
    import('./project-memory.ts'),
    import('./memory-page.ts'),
  ])
  const noted: ProjectSession[] = []
  for await (const { id, ...session } of sessions) {
    if (!ID.test(id))
      throw new PithError('bad-argument', `${JSON.stringify(id)} is not the id of a session: ${ID_HELP}`)
    noted.push({ id, notes: sessionNotes(session) })
  }
  const memory = memoryOf(noted, now)
  const { text, tokens, rows } = memoryPage(memory, { name, ...page })
  return { text, tokens, lines: rows.flatMap((row) => row.lines), sessions: memory.sessions, upTo: memory.upTo }
}

/** An id is part of the page, so it must not be able to end a line or to read as words. */
const ID = /^[\w.:-]{1,200}$/
const ID_HELP = 'it may have letters, digits, and the signs _ . : -'
