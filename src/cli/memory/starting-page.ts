import { spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, isTrustedFolder } from '../../config/index.ts'
import { pageText, projectPage } from '../../store/memory-pages.ts'
import { PACKAGE } from '../process/package.ts'
import type { Setup } from '../setup/setup.ts'
import { keptMemory } from './kept-memory.ts'
import { projectOf } from './project-of.ts'

/** The settings of a folder, and where its memory is kept. */
export type MemoryPlace = Pick<Setup, 'config'> & { readonly folders: Pick<Setup['folders'], 'data'> }

/** The last finished page of a folder's project, for whoever asks; undefined if the user has no memory here. The next one is made in the background. */
export function memoryOnDemand(place: MemoryPlace): (() => string) | undefined {
  const project = projectOf(place.config.workspace)
  if (!isMemoryOn(place.config, keptMemory(place.folders.data, project).isOn)) return undefined
  return () => {
    const page = startingPage(place)
    updateInBackground(place)
    return page ?? `Nothing is remembered of ${project.name} yet. If there were sessions, ask again in a minute.`
  }
}

/** The page for a new session in a folder: the last finished one, if the user has a memory here. Nothing is built, so nothing waits. */
export function startingPage({ config, folders }: MemoryPlace): string | undefined {
  const project = projectOf(config.workspace)
  if (!isMemoryOn(config, keptMemory(folders.data, project).isOn)) return undefined
  const text = pageText(projectPage(folders.data, project.key)).trim()
  return text === '' ? undefined : text
}

function isMemoryOn({ settings, workspace }: Config, isOn: boolean | undefined): boolean {
  return isOn ?? (settings.memory && isTrustedFolder(workspace))
}

/**
 * Brings the memory of a folder's project up to date in a process of its own, so that the next session finds it finished. False
 * if there is nothing to do: the user has no memory here, or the page was just made.
 */
export function updateInBackground({ config, folders }: MemoryPlace): boolean {
  const project = projectOf(config.workspace)
  if (!isMemoryOn(config, keptMemory(folders.data, project).isOn)) return false
  const made = statSync(projectPage(folders.data, project.key), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (Date.now() - made < FRESH_MS) return false
  const main = join(PACKAGE, import.meta.filename.endsWith('.ts') ? 'src/cli/main.ts' : 'dist/cli/main.js')
  const child = spawn(process.execPath, [main, 'memory', 'update'], {
    cwd: config.workspace,
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => undefined)
  child.unref()
  return true
}

/** A page that was just made is not made again. */
const FRESH_MS = 60_000
