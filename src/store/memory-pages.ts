import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** The text of a page; empty if there is none. */
export function pageText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Writes a file for this user alone. Another process never sees a part of it. */
export function writeWhole(path: string, text: string): void {
  const fresh = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(fresh, text, { mode: 0o600 })
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
}

/** Deletes all pages, after a redaction: nobody knows which of them quote the text. They are made again without it. */
export function forgetPages(dataFolder: string): void {
  const folder = memoryFolder(dataFolder)
  rmSync(join(folder, 'sessions'), { recursive: true, force: true })
  for (const name of namesIn(folder)) if (name.endsWith('.md')) rmSync(join(folder, name), { force: true })
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
