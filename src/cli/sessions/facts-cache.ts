import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { dataFolder } from '../../config/index.ts'
import { writePrivate } from '../../config/write/write-private.ts'
import { type SessionFacts, sessionFactsSchema, type UnreadableFile, unreadableFileSchema } from './session-facts.ts'
import type { SessionFile } from './session-file.ts'

const VERSION = 4

const cacheSchema = z.object({
  version: z.literal(VERSION),
  files: z.record(
    z.string(),
    z.object({ modifiedAt: z.number(), size: z.number(), facts: z.union([sessionFactsSchema, unreadableFileSchema]) }),
  ),
})
type Cache = z.infer<typeof cacheSchema>

/** The facts that lists have read of session files before, so that a file is read again only after it has changed. */
export class FactsCache {
  readonly #path = join(dataFolder(), 'session-facts.json')
  readonly #files: Map<string, Cache['files'][string]>
  #isChanged = false

  constructor() {
    this.#files = new Map(Object.entries(readCache(this.#path).files))
  }

  get(file: SessionFile): SessionFacts | UnreadableFile | undefined {
    const known = this.#files.get(keyOf(file))
    return known?.modifiedAt === file.modifiedAt && known.size === file.size ? known.facts : undefined
  }

  set(file: SessionFile, facts: SessionFacts | UnreadableFile): void {
    this.#files.set(keyOf(file), { modifiedAt: file.modifiedAt, size: file.size, facts })
    this.#isChanged = true
  }

  /** Writes the facts that are new, without files that are gone. Where it cannot be written, the next list is slower. */
  save(there: readonly SessionFile[]): void {
    if (!this.#isChanged) return
    const keys = new Set(there.map(keyOf))
    const files = Object.fromEntries([...this.#files].filter(([key]) => keys.has(key)))
    try {
      writePrivate(this.#path, JSON.stringify({ version: VERSION, files }))
    } catch {}
  }
}

function keyOf({ path, id }: SessionFile): string {
  return `${path}#${id}`
}

function readCache(path: string): Cache {
  try {
    return cacheSchema.parse(JSON.parse(readFileSync(path, 'utf8')))
  } catch {
    return { version: VERSION, files: {} }
  }
}
