import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../../config/places/folders.ts'
import { writePrivate } from '../../../config/write/write-private.ts'

const fileSchema = z.object({
  /** True when there was no such file before. */
  isNew: z.boolean(),
  /** The outermost folder that was made for it. */
  newFolder: z.string().optional(),
  /** The texts that were put in, by the name of the setting. */
  inserted: z.record(z.string(), z.object({ text: z.string(), containers: z.number() })),
})
const recordSchema = z.record(z.string(), fileSchema)

/** The texts that Pith has put into one file of an agent. */
export type FileRecord = z.infer<typeof fileSchema>

/** The texts that Pith has put into the files of agents, by file. A record that cannot be read is empty: settings are then found by their names. */
export function readSetupRecord(): Readonly<Record<string, FileRecord>> {
  try {
    return recordSchema.parse(JSON.parse(readFileSync(recordFile(), 'utf8')))
  } catch {
    return {}
  }
}

/** Notes the texts that a file of an agent has now; undefined if nothing is left. */
export function noteSetup(file: string, record: FileRecord | undefined): void {
  const { [file]: _, ...others } = readSetupRecord()
  writePrivate(recordFile(), `${JSON.stringify(record === undefined ? others : { ...others, [file]: record })}\n`)
}

function recordFile(): string {
  return join(dataFolder(), 'setup.json')
}
