import { z } from 'zod'
import { type Entry, parseEntry, reasonSchema } from '../../model/entry.ts'
import { todoSchema } from '../../model/todo.ts'

/** What the terminal needs of a server's answers; what else they have is of no interest here. */

export const anything = z.unknown()

const status = z.object({
  tokens: z.number(),
  window: z.number().optional(),
  percent: z.number().optional(),
  known: z.boolean(),
  source: z.enum(['provider', 'estimate']),
  level: z.enum(['normal', 'warning', 'critical', 'unknown']),
})

const row = z.object({
  id: z.string(),
  title: z.string().optional(),
  workspace: z.string(),
  updatedAt: z.number(),
  lastSeq: z.number(),
  parent: z.unknown().optional(),
})

export type Detail = z.infer<typeof detailSchema>
export const detailSchema = row.extend({
  model: z.string().optional(),
  noModel: z.string().optional(),
  status,
  todos: z.array(todoSchema),
})

export const filesSchema = z.object({ paths: z.array(z.string()) })

export const sessionsSchema = z.object({ sessions: z.array(row) })

export type Context = z.infer<typeof contextSchema>
export const contextSchema = z.object({
  model: z.string().optional(),
  status,
  parts: z.record(z.string(), z.number()),
  budget: z.object({ reserve: z.number() }),
  largest: z.array(z.object({ seq: z.number(), name: z.string(), tokens: z.number() })),
  next: z.string(),
  policy: z.looseObject({ preset: z.string(), suggestPercent: z.number(), rungs: z.array(z.string()) }),
})

export const entriesSchema = z.object({ entries: z.array(z.record(z.string(), z.unknown())), more: z.boolean() })

export const spentSchema = z.object({
  calls: z.number(),
  inputTokens: z.number(),
  cacheReadTokens: z.number(),
  outputTokens: z.number(),
  compactions: z.number(),
  compactionCost: z.number(),
  cost: z.number().optional(),
})

export const tokenSchema = z.object({ workspaces: z.array(z.string()) })

export const previewSchema = z.object({
  wouldCompact: z.boolean(),
  reason: z.string(),
  tokens: z.number(),
  messages: z.number().optional(),
  spanTokens: z.number().optional(),
  kept: z.array(z.unknown()).optional(),
  estimatedCost: z.number().optional(),
})

export const compactionsSchema = z.object({ compactions: z.array(z.object({ seq: z.number(), undone: z.boolean() })) })
export const compactionSchema = z.object({
  seq: z.number(),
  summary: z.string(),
  messagesRemoved: z.number(),
  reason: reasonSchema,
  flagged: z.array(z.string()),
})

export const recallSchema = z.object({
  hits: z.array(z.object({ seq: z.number(), type: z.string(), snippet: z.string() })),
  entries: z.array(z.record(z.string(), z.unknown())),
})

export const modelsSchema = z.object({
  models: z.array(
    z.object({
      name: z.string(),
      contextWindow: z.number().optional(),
      usable: z.boolean(),
      why: z.string().optional(),
    }),
  ),
})

/** What a compaction came to, as its last event says. */
export const endedSchema = z.object({ automatic: z.boolean(), outcome: z.string(), reason: z.string() })
export const turnEndSchema = z.object({
  end: z.object({ reason: z.enum(['done', 'aborted', 'failed', 'step-limit', 'context-limit']), text: z.string() }),
})
export const statusEvent = z.object({ status })

/** An entry of the log, without what the server adds of its place in the view. */
export function entryIn(value: unknown): Entry {
  if (typeof value !== 'object' || value === null) return parseEntry(value)
  const { place: _, by: __, pinned: ___, tokens: ____, ...entry } = value as Record<string, unknown>
  return parseEntry(entry)
}
