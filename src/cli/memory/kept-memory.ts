import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../../config/write/write-private.ts'
import { memoryFolder } from '../../store/memory-pages.ts'
import type { Project } from './project-of.ts'

const keptSchema = z.object({
  name: z.string(),
  changes: z.object({
    pinned: z.array(z.object({ text: z.string(), at: z.number() })),
    forgotten: z.array(z.object({ key: z.string(), at: z.number() })),
  }),
  /** Set by the user for this project; the setting decides if it is absent. */
  isOn: z.boolean().optional(),
})

/** The user's own changes to the memory of a project. */
export type KeptMemory = z.infer<typeof keptSchema>

/** Reads the user's changes; an unreadable file counts as none. */
export function keptMemory(dataFolder: string, { key, name }: Project): KeptMemory {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(fileOf(dataFolder, key), 'utf8')))
  } catch {
    return { name, changes: { pinned: [], forgotten: [] } }
  }
}

export function changeKept(dataFolder: string, project: Project, change: (kept: KeptMemory) => KeptMemory): void {
  writePrivate(fileOf(dataFolder, project.key), JSON.stringify(change(keptMemory(dataFolder, project))))
}

function fileOf(dataFolder: string, key: string): string {
  return join(memoryFolder(dataFolder), `${key}.json`)
}
