import { createRoute, z } from '@hono/zod-openapi'
import {
  wireCount as count,
  QUERY_HELP,
  sessionId,
  wireFoundSchema,
  wireHitSchema,
  wireSessionSchema,
  wireStatusSchema,
} from '../shapes/shapes.ts'
import { json, refusals, whole } from './route-parts.ts'

const tags = ['overview']
const text = z.string().max(1_000)

/** The conditions for a session to be in the overview. */
export type WireSessionFilter = z.infer<typeof filterSchema>
const filterSchema = z.object({
  agent: text.optional().describe('Its origin: an agent, `Gateway` or `Pith`'),
  model: text.optional(),
  folder: text.optional().describe('The workspace'),
  level: z.enum(['normal', 'warning', 'critical', 'unknown']).optional().describe('How full it is'),
  min_cost: z.coerce.number().min(0).optional().describe('In US dollars'),
  problems: z.enum(['true', 'false']).optional().describe('`true`: only sessions with a compaction that went wrong'),
})

export type WireSpending = z.infer<typeof spendingSchema>
const spendingSchema = z
  .object({
    calls: count,
    input_tokens: count,
    cache_read_tokens: count,
    output_tokens: count,
    cost: z.number().nonnegative(),
    unpriced: count.describe('Calls whose price is not known: their cost is missing'),
  })
  .openapi('Spending', { description: 'Tokens as providers reported them, and US dollars' })

export type WireShare = z.infer<typeof shareSchema>
const shareSchema = z
  .object({ name: z.string(), calls: count, tokens: count, cost: z.number().nonnegative() })
  .openapi('Share', {
    description:
      'The tokens that a tool or a file brought into the context, and its share of the cost of every request that sent them. Both are estimates',
  })

export type WireOverviewSession = z.infer<typeof overviewSessionSchema>
const overviewSessionSchema = wireSessionSchema
  .extend({
    agent: z.string(),
    model: z.string().optional(),
    status: wireStatusSchema.optional().describe('Absent until it is counted'),
    spent: spendingSchema.optional().describe('Absent until it is counted. A fork: since it was forked'),
    compactions: count.describe('Without those that were undone. A fork: since it was forked'),
    problems: count.describe('Compactions that went wrong, the last 20 at most'),
    running: z.enum(['turn', 'compaction', 'other']).optional().describe('The work that runs in it on this server'),
  })
  .openapi('OverviewSession')

export type WireProblem = z.infer<typeof problemSchema>
const problemSchema = z
  .object({
    session_id: sessionId,
    title: z.string().optional(),
    first_words: wireSessionSchema.shape.first_words,
    seq: count,
    at: z.number(),
    kind: z
      .enum(['failed', 'fell-back', 'not-taken'])
      .describe(
        'failed: it made no record. fell-back: no summary of a model was accepted, so a lower rung made the record. not-taken: it came too late',
      ),
    reason: z.string(),
  })
  .openapi('CompactionProblem')

const facet = z.array(z.object({ name: z.string(), sessions: count }))

export type WireOverview = z.infer<typeof overviewSchema>
const overviewSchema = z
  .object({
    sessions: z.array(overviewSessionSchema),
    total: count.describe('Sessions that pass the filter'),
    uncounted: count.describe('Sessions of this token that are not counted yet, or have grown since: ask again'),
    spent: spendingSchema,
    days: z.array(spendingSchema.extend({ day: z.string() })).describe('In UTC, the newest first'),
    tools: z.array(shareSchema),
    files: z.array(shareSchema),
    problems: z.array(problemSchema).describe('The newest first'),
    choices: z
      .object({ agents: facet, models: facet, folders: facet })
      .describe('The values that all sessions of this token have, to filter by'),
  })
  .openapi('Overview')

export const getOverviewRoute = createRoute({
  method: 'get',
  path: '/v1/overview',
  tags,
  summary: 'All sessions of this token: how full they are, their cost by day, tool and file, and their problems',
  description:
    'The newest 5,000 sessions. Sums are over all sessions that pass the filter, not over the page. Every log is read once, and then only its new entries; a first answer may leave some sessions `uncounted`.',
  request: {
    query: filterSchema.extend({
      q: text.optional().describe('Text in title or folder'),
      sort: z.enum(['changed', 'cost', 'fill']).default('changed'),
      limit: whole(500).min(1).default(50),
      offset: whole(5_000).default(0),
    }),
  },
  responses: { 200: json(overviewSchema, 'The overview'), ...refusals() },
})

export type WireSearchHit = z.infer<typeof searchHitSchema>
const searchHitSchema = wireHitSchema
  .extend({ title: z.string().optional(), first_words: wireSessionSchema.shape.first_words, agent: z.string() })
  .openapi('SearchHit')

export const searchSessionsRoute = createRoute({
  method: 'get',
  path: '/v1/search',
  tags,
  summary: 'Search the whole logs of all sessions of this token, the best hits first',
  description:
    'For the owner of this machine also the sessions of other agents on it, unless a filter needs costs or sizes. Their ids begin with `agent:`.',
  request: {
    query: filterSchema.extend({
      q: text.min(1).describe(QUERY_HELP),
      limit: whole(200).min(1).default(50),
      offset: whole(10_000).default(0),
    }),
  },
  responses: {
    200: json(
      wireFoundSchema.extend({
        hits: z.array(searchHitSchema),
        more: z.boolean().describe('There are more than these'),
        unindexed: count
          .optional()
          .describe('Files of other agents on this machine that are not indexed yet; for its owner alone: ask again'),
      }),
      'The hits',
    ),
    ...refusals(),
  },
})
