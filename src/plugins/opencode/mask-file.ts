import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../config/places/folders.ts'
import { writePrivate } from '../../config/write/write-private.ts'

const maskSchema = z.object({ calls: z.array(z.string()), nameCharacters: z.number().optional() })
const masksSchema = z.array(maskSchema)

/** Batches of calls whose results are masked. opencode has no place for them in its sessions, so they are in Pith's folder. */
export type CallMask = z.infer<typeof maskSchema>

/** The batches of a session, the first one first. */
export function readMasks(session: string): readonly CallMask[] {
  try {
    return masksSchema.parse(JSON.parse(readFileSync(fileOf(session), 'utf8')))
  } catch {
    return []
  }
}

export function writeMasks(session: string, masks: readonly CallMask[]): void {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  writePrivate(fileOf(session), `${JSON.stringify(masks)}\n`)
}

function fileOf(session: string): string {
  return join(folder(), `${session.replaceAll(/[^\w-]/g, '_')}.json`)
}

function folder(): string {
  return join(dataFolder(), 'plugins', 'opencode')
}
