import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writePrivate } from '../config/write/write-private.ts'
import { PithError } from '../model/problems/errors.ts'
import type { SessionId } from './store.ts'

/** The folder with everything that is kept of projects' memories. */
export function memoryFolder(dataFolder: string): string {
  return join(dataFolder, 'memory')
}

/** The last finished page of a project. */
export function projectPage(dataFolder: string, key: string): string {
  return join(memoryFolder(dataFolder), `${key}.md`)
}

/** The page that a session began with: it stays the same as long as the session lives, so that the provider's cache holds. */
export function sessionPage(dataFolder: string, session: SessionId): string {
  return join(memoryFolder(dataFolder), 'sessions', `${encodeURIComponent(session)}.md`)
}

/** The facts that a session began with, such as the date. They stay the same for the same reason. */
export function startPage(dataFolder: string, session: SessionId): string {
  return join(memoryFolder(dataFolder), 'sessions', `${encodeURIComponent(session)}.start.md`)
}

/** The text of a page; empty if there is none. */
export function pageText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Keeps a page. If that is not possible, there is none: no session and no command has to fail for that. */
export function keepPage(path: string, text: string): void {
  try {
    writePrivate(path, text)
  } catch (error) {
    if (!(error instanceof PithError)) throw error
  }
}

/** Deletes all pages, after a redaction: nobody knows which of them quote the text. They are made again without it. */
export function forgetPages(dataFolder: string): void {
  const folder = memoryFolder(dataFolder)
  rmSync(join(folder, 'sessions'), { recursive: true, force: true })
  for (const name of namesIn(folder)) if (name.endsWith('.md')) rmSync(join(folder, name), { force: true })
}

/** Deletes the pages of these sessions, and all pages that quote them. They are made again. */
export function forgetPagesOf(
  dataFolder: string,
  sessions: readonly SessionId[],
  isQuotedIn: (text: string) => boolean,
): void {
  const folder = memoryFolder(dataFolder)
  for (const id of sessions)
    for (const page of [sessionPage(dataFolder, id), startPage(dataFolder, id)]) rmSync(page, { force: true })
  for (const place of [folder, join(folder, 'sessions')])
    for (const name of namesIn(place)) {
      const page = join(place, name)
      if (name.endsWith('.md') && isQuotedIn(pageText(page))) rmSync(page, { force: true })
    }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
