import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import type { Project } from './project-of.ts'

const changesSchema = z.object({
  pinned: z.array(z.object({ text: z.string(), at: z.number() })),
  forgotten: z.array(z.object({ key: z.string(), at: z.number() })),
})

const keptSchema = z.object({
  name: z.string(),
  changes: changesSchema,
  /** Set by the user for this project; the setting decides if it is absent. */
  isOn: z.boolean().optional(),
  /** The last finished page. */
  page: z.object({ text: z.string(), tokens: z.number(), madeAt: z.number() }).optional(),
})

/** What is kept of a project's memory: the last finished page, and what the user changed by hand. */
export type KeptMemory = z.infer<typeof keptSchema>

/** Reads what is kept; an unreadable file counts as none. */
export function keptMemory(dataFolder: string, { key, name }: Project): KeptMemory {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(fileOf(dataFolder, key), 'utf8')))
  } catch {
    return { name, changes: { pinned: [], forgotten: [] } }
  }
}

/** Changes what is kept. Another process never sees a half-written file. */
export function changeKept(dataFolder: string, project: Project, change: (kept: KeptMemory) => KeptMemory): KeptMemory {
  const kept = change(keptMemory(dataFolder, project))
  const path = fileOf(dataFolder, project.key)
  const fresh = `${path}.${process.pid}`
  mkdirSync(join(dataFolder, FOLDER), { recursive: true, mode: 0o700 })
  try {
    writeFileSync(fresh, JSON.stringify(kept), { mode: 0o600 })
    renameSync(fresh, path)
  } finally {
    rmSync(fresh, { force: true })
  }
  return kept
}

const FOLDER = 'memory'

function fileOf(dataFolder: string, key: string): string {
  return join(dataFolder, FOLDER, `${key}.json`)
}
