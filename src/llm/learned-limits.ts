import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { writePrivate } from '../config/write/write-private.ts'
import type { ModelInfo } from '../model/provider/model-info.ts'

const limitsSchema = z.object({ maxOutput: z.number().int().positive().optional() })
const fileSchema = z.record(z.string(), limitsSchema)

/** What refusals of a provider have told about a model. */
type Limits = z.infer<typeof limitsSchema>

/** The limits of models that only their providers knew. They are kept in a file, so that each is learned once. */
export class LearnedLimits {
  readonly #path: string | undefined
  #models: Map<string, Limits> | undefined

  /** Without a folder they are forgotten at the end of the process. */
  constructor(folder?: string) {
    this.#path = folder === undefined ? undefined : join(folder, 'learned-limits.json')
  }

  /** What is known of a model, with what was learned about it. */
  applied(name: string, info: ModelInfo): ModelInfo {
    const { maxOutput } = this.#known.get(name) ?? {}
    if (maxOutput === undefined || maxOutput >= (info.maxOutput ?? Number.POSITIVE_INFINITY)) return info
    return { ...info, maxOutput }
  }

  /** Learns a limit. Where it cannot be written, the next process learns it again. */
  learn(name: string, limits: Limits): void {
    if (this.#known.get(name)?.maxOutput === limits.maxOutput) return
    // Another process may have learned something since.
    this.#models = new Map([...this.#known, ...this.#read(), [name, limits]])
    try {
      if (this.#path !== undefined) writePrivate(this.#path, JSON.stringify(Object.fromEntries(this.#models), null, 1))
    } catch {}
  }

  get #known(): ReadonlyMap<string, Limits> {
    this.#models ??= this.#read()
    return this.#models
  }

  #read(): Map<string, Limits> {
    if (this.#path === undefined) return new Map()
    try {
      return new Map(Object.entries(fileSchema.parse(JSON.parse(readFileSync(this.#path, 'utf8')))))
    } catch {
      return new Map()
    }
  }
}
