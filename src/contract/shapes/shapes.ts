import { z } from '@hono/zod-openapi'
import { presetSchema } from '../../model/policy/policy-schema.ts'

/** The shapes that cross HTTP, in snake_case; those of compactions are in compaction-shapes.ts. Messages keep the shape of the AI SDK. */

// The kinds of numbers in these shapes.
const count = z.number().int().nonnegative()
const seq = count.describe('The place of an entry in the log of its session')
const time = z.number().describe('Milliseconds since 1970')
const dollars = z.number().nonnegative()

export { count as wireCount, dollars as wireDollars, seq as wireSeq, time as wireTime }

export const sessionId = z.string().min(1).max(200)

/** A turn or a compaction that runs in a session. */
export type WireWork = z.infer<typeof wireWorkSchema>
export const wireWorkSchema = z.object({ kind: z.enum(['compaction', 'turn', 'other']), id: z.string() })

export const wireErrorSchema = z
  .object({
    error: z.object({
      code: z.string().openapi({ example: 'unknown-session' }),
      message: z.string().describe('One line: what is wrong, where, what to do'),
      request_id: z.string().optional(),
      running: wireWorkSchema.optional().describe('With 409: what is running in the session'),
    }),
  })
  .openapi('Error')

/** A request of another agent, as a gateway reports it. */
export type WireRequest = z.infer<typeof wireRequestSchema>
export const wireRequestSchema = z
  .object({
    at: time,
    upstream: z.string(),
    path: z.string(),
    model: z.string().optional(),
    bytes_in: count.describe('The body that came from the agent'),
    bytes_out: count.describe('The body that went to the provider; 0 when Pith answered itself'),
    answer_bytes: count,
    input_tokens: count.optional().describe('The provider’s own counts'),
    cached_tokens: count.optional(),
    output_tokens: count.optional(),
    status: count.optional(),
    why: z.string().describe('The decision about the request, and the reason'),
    own_ms: z.number().describe('How long the request waited for the gateway before it was forwarded'),
  })
  .openapi('GatewayRequest')

export type WireMessage = z.infer<typeof wireMessageSchema>
export const wireMessageSchema = z
  .looseObject({
    role: z.enum(['system', 'user', 'assistant', 'tool']),
    content: z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]),
  })
  .openapi('Message', { description: "The AI SDK's ModelMessage" })

export const wireUsageSchema = z
  .object({
    input_tokens: count,
    output_tokens: count,
    cache_read_tokens: count.optional(),
    cache_write_tokens: count.optional(),
    cache_write_hour_tokens: count.optional().describe('Of cache_write_tokens, those that the cache keeps for an hour'),
    reasoning_tokens: count.optional(),
  })
  .openapi('Usage')

export type WireStatus = z.infer<typeof wireStatusSchema>
export const wireStatusSchema = z
  .object({
    tokens: count,
    window: count.optional(),
    assumed: z.literal(true).optional().describe('The window is not known, but assumed'),
    percent: z.number().optional().describe('Two decimals; absent when the window is unknown'),
    known: z.boolean(),
    source: z.enum(['provider', 'estimate']),
    level: z.enum(['normal', 'warning', 'critical', 'unknown']),
    doubted: count
      .optional()
      .describe('The provider’s last count, if it cannot be right: the estimate is used instead'),
    counted_for: z
      .string()
      .optional()
      .describe('The model of the provider’s last count, if that is another one: the estimate is used instead'),
  })
  .openapi('Status', { description: 'How full the context is' })

export type WireSpent = z.infer<typeof wireSpentSchema>
export const wireSpentSchema = z
  .object({
    calls: count,
    input_tokens: count,
    cache_read_tokens: count,
    output_tokens: count,
    compactions: count,
    compaction_cost: z.number().optional(),
    cost: z.number().optional().describe('The whole cost; absent when a price is unknown'),
    known_cost: z.number().optional().describe('The part of the cost whose price is known'),
    tasks: z
      .object({ calls: count, known_cost: z.number() })
      .optional()
      .describe('The part of sub-agents, if there were any'),
    turns: z
      .array(z.object({ seq, calls: count, input_tokens: count, output_tokens: count, cost: z.number().optional() }))
      .optional()
      .describe('The last turns, by the message of the user that begins each; with `turns` in the query'),
  })
  .openapi('Spent')

export type WireSession = z.infer<typeof wireSessionSchema>
export const wireSessionSchema = z
  .object({
    id: sessionId,
    owner: z.string(),
    workspace: z.string(),
    title: z.string().optional(),
    first_words: z
      .string()
      .optional()
      .describe('If there is no title: the beginning of the first text that the user typed'),
    parent: z.object({ id: sessionId, seq }).optional(),
    created_at: time,
    updated_at: time,
    last_seq: seq,
    revision: seq.describe('The last entry that changed the view other than by appending a message'),
  })
  .openapi('Session')

/** A session of another agent on the machine of the server. */
export type WireAgentSession = z.infer<typeof wireAgentSessionSchema>
export const wireAgentSessionSchema = z
  .object({
    id: sessionId.describe('Begins with `agent:`; every route that only reads takes it'),
    agent: z.string(),
    title: z.string().optional(),
    workspace: z.string().optional(),
    updated_at: time,
    messages: z.number().int(),
    compactions: z.number().int(),
    model: z.string().optional(),
    tokens: z.number().int(),
    window: z.number().int().optional(),
    assumed: z.literal(true).optional().describe('The window is not known, but assumed'),
    level: z.enum(['normal', 'warning', 'critical', 'unknown']),
  })
  .openapi('AgentSession')

export const wireSessionPageSchema = z.object({ sessions: z.array(wireSessionSchema), next: z.string().optional() })

export const wireSessionStatusSchema = z.object({
  session_id: sessionId,
  last_seq: z.number().int(),
  status: wireStatusSchema,
})

const todoSchema = z.object({
  text: z.string(),
  status: z.enum(['pending', 'in-progress', 'done', 'cancelled']),
})

const fileSchema = z
  .looseObject({ path: z.string(), seq, access: z.enum(['read', 'modified', 'reverted', 'deleted']) })
  .openapi('SessionFile')

export type WireSessionDetail = z.infer<typeof wireSessionDetailSchema>
export const wireSessionDetailSchema = wireSessionSchema
  .extend({
    model: z.string().optional().describe('provider/model; absent when no model can be used'),
    no_model: z.string().optional().describe('Why no model can be used, and what to set'),
    preset: z.enum(presetSchema.options),
    policy: z
      .record(z.string(), z.unknown())
      .describe('The settings of its own that the session has over those of the server, as they can be sent'),
    status: wireStatusSchema,
    todos: z.array(todoSchema),
    files: z.array(fileSchema),
    breaker: z.object({ failures: count, last_failure_at: time }),
    compactions: count,
    undo: seq.optional().describe('The change that an undo would undo; absent when there is none'),
    redo: seq.optional().describe('The undo that a redo would undo; absent when there is none'),
    bad_rows: count.describe('Rows of the log that cannot be read; they are skipped'),
  })
  .openapi('SessionDetail')

export type WireEntry = z.infer<typeof wireEntrySchema>
export const wireEntrySchema = z
  .looseObject({
    id: z.string(),
    seq,
    at: time,
    type: z.enum([
      'message',
      'compaction',
      'mask',
      'squeeze',
      'edit',
      'undo',
      'repair',
      'redact',
      'pin',
      'leave-out',
      'put-back',
      'attempt',
      'void',
      'settings',
      'todo',
      'checkpoint',
    ]),
  })
  .openapi('Entry', { description: 'One item of the log; its other fields depend on its type' })

/** The place of an entry in the view. */
const placeSchema = z
  .enum(['whole', 'shortened', 'masked', 'left-out', 'compacted', 'redacted', 'undone', 'none'])
  .openapi('Place', { description: 'none: the entry is not a message. A leave-out has the place of its part' })

export type WirePlacedEntry = z.infer<typeof wirePlacedEntrySchema>
export const wirePlacedEntrySchema = wireEntrySchema
  .extend({
    place: placeSchema,
    by: seq.optional().describe('The entry that put it there: a compaction, mask, squeeze, leave-out or redaction'),
    pinned: z.boolean().optional(),
    tokens: count.optional().describe('Estimated tokens of the message in full'),
    about: z
      .record(z.string(), z.string())
      .optional()
      .describe('The subject of the call of each result, by its id: a path, a command'),
  })
  .openapi('PlacedEntry')

export type WireEntryPage = z.infer<typeof wireEntryPageSchema>
export const wireEntryPageSchema = z.object({
  entries: z.array(wirePlacedEntrySchema).describe('In the order of the log'),
  first_seq: z.number().int().optional(),
  last_seq: z.number().int().optional(),
  more: z.boolean().describe('There are more entries in the requested direction'),
})

/** A change of the view, and how full the context is after it. */
export type WireChange = z.infer<typeof wireChangeSchema>
export const wireChangeSchema = z.object({ entry: wireEntrySchema, status: wireStatusSchema }).openapi('Changed')

/** The change that an undo would undo, and how full the context would be after it. */
export const wireUndoPreviewSchema = z
  .object({ seq: count.optional(), status: wireStatusSchema })
  .openapi('UndoPreview')

export const wireLeaveOutChoiceSchema = z
  .object({
    select: z.string().describe('The `what` that leaves it out'),
    name: z.string(),
    parts: count.describe('Messages, or results'),
    tokens: count,
  })
  .openapi('LeaveOutChoice')

/** The effect of leaving a part out, and its price. */
export type WireLeaveOutPlan = z.infer<typeof wireLeaveOutPlanSchema>
export const wireLeaveOutPlanSchema = z
  .object({
    parts: count.describe('Messages, or results'),
    tokens_before: count,
    tokens_after: count,
    breaks_from: seq.describe('The provider has to write its cache again from this message on'),
    is_cold: z.literal(true).optional().describe('The cache has expired, so there is nothing to lose'),
    cost_once: z.number().optional().describe('In US dollars; absent if the prices are not known'),
    saved_per_request: z.number().optional().describe('In US dollars; absent if the prices are not known'),
    kept: z
      .array(z.object({ seqs: z.array(seq), why: z.string() }))
      .describe(
        'Messages that were named and stay: `unread`, `pinned`, `record`, `instructions`, `provider-compaction`',
      ),
    text: z.string().describe('The price and what stays, in a sentence'),
  })
  .openapi('LeaveOutPlan')

/** A leave-out, how full the context is after it, and what it frees and costs. */
export type WireLeaveOut = z.infer<typeof wireLeaveOutSchema>
export const wireLeaveOutSchema = wireLeaveOutPlanSchema
  .extend({ entry: wireEntrySchema, status: wireStatusSchema })
  .openapi('LeaveOut')

export type WireParts = z.infer<typeof wirePartsSchema>
export const wirePartsSchema = z
  .object({
    system: count,
    tools: count,
    instructions: count,
    memory: count,
    hidden: count.describe(
      'Not in the log: the provider counted it, for example the prompt, the tools and the reminders of another agent',
    ),
    summary: count,
    index: count,
    user: count,
    assistant: count,
    tool_results: count,
    reasoning: count,
    images: count,
  })
  .openapi('Parts', { description: 'Tokens by kind; they add up to the tokens of the status' })

const budgetSchema = z
  .object({
    window: count.optional(),
    reserve: count,
    trigger: count.optional(),
    limit: count.optional().describe('The most tokens of a request: the window less the reserve'),
    ceiling: count.optional().describe('The limit if nothing else helps: the window less a short answer'),
    target: count.optional(),
    growth: count,
    names: count,
    cold_trigger: count.optional().describe('The trigger once the prompt cache has expired'),
    end_of_work_trigger: count.optional().describe('The trigger when a piece of work has just ended'),
    tail: count,
    summary: count,
    index: count,
  })
  .openapi('Budget')

export type WireContext = z.infer<typeof wireContextSchema>
export const wireContextSchema = z
  .object({
    model: z.string().optional(),
    status: wireStatusSchema,
    parts: wirePartsSchema,
    budget: budgetSchema,
    largest: z.array(z.object({ seq, name: z.string(), tokens: count })),
    messages: count.describe('Messages in the view'),
    compaction_due: z.boolean().describe('An automatic compaction would run now'),
    next: z.string().describe('When the next automatic compaction comes, in one line'),
    policy: z.looseObject({
      preset: z.enum(presetSchema.options),
      suggest_percent: z.number(),
      rungs: z.array(z.string()),
    }),
  })
  .openapi('Context')

const requestCost = {
  cost: z.number().optional().describe('US dollars for each request, not from the cache; absent without a price'),
  cached_cost: z.number().optional().describe('The same from the cache'),
}

const hasTexts = z.boolean().describe('Whether `texts` gives the texts; otherwise only the sizes are known')

export type WireTools = z.infer<typeof wireToolsSchema>
export const wireToolsSchema = z
  .object({
    tokens: count,
    ...requestCost,
    has_texts: hasTexts,
    servers: z.array(
      z.object({
        server: z.string().optional().describe('Absent for the tools of the agent itself'),
        tokens: count,
        ...requestCost,
        tools: z.array(
          z.object({
            name: z.string(),
            tokens: count,
            calls: count,
            ...requestCost,
            text: z.string().optional().describe('Its definition as JSON, with `texts`, if it is known'),
          }),
        ),
      }),
    ),
  })
  .openapi('Tools', { description: 'Tokens are estimated; calls are those of the whole session' })

export type WirePrompt = z.infer<typeof wirePromptSchema>
export const wirePromptSchema = z
  .object({
    tokens: count,
    ...requestCost,
    has_texts: hasTexts,
    sections: z.array(
      z.object({
        part: z
          .enum(['system', 'instructions', 'memory'])
          .describe('The agent’s own prompt, the project’s instructions (`AGENTS.md`), or the memory'),
        title: z.string().describe('Its heading, its element, its file, or its first line'),
        tokens: count,
        ...requestCost,
        text: z.string().optional().describe('With `texts`, if it is known: a gateway stores only sizes'),
      }),
    ),
  })
  .openapi('Prompt', { description: 'Tokens are estimated' })

export type WirePoint = z.infer<typeof wirePointSchema>
export const wirePointSchema = z
  .object({ seq, at: time, tokens: count, parts: wirePartsSchema })
  .openapi('ContextPoint')

export type WireMark = z.infer<typeof wireMarkSchema>
export const wireMarkSchema = z
  .object({
    seq,
    at: time,
    type: z.enum([
      'compaction',
      'mask',
      'squeeze',
      'edit',
      'undo',
      'redo',
      'redact',
      'repair',
      'leave-out',
      'put-back',
    ]),
    tokens_before: count,
    tokens_after: count,
    undone: z.boolean(),
  })
  .openapi('ContextMark')

export type WireContextHistory = z.infer<typeof wireContextHistorySchema>
export const wireContextHistorySchema = z
  .object({
    window: count.optional(),
    trigger: count.optional(),
    points: z.array(wirePointSchema),
    marks: z.array(wireMarkSchema),
  })
  .openapi('ContextHistory')

export type WireHit = z.infer<typeof wireHitSchema>
export const wireHitSchema = z
  .object({
    session_id: sessionId,
    seq,
    turn: seq,
    type: z.string(),
    role: z.string().optional(),
    tool: z.string().optional().describe('The tool that was called, or whose result it is'),
    at: time,
    snippet: z.string().describe('The two or three lines around the match'),
    also: z.array(seq).describe('Other entries of the same exchange that match'),
    near: z.array(seq).describe('The messages right before and after it'),
  })
  .openapi('Hit')

/** The numbers of a search, beside its hits. */
export const wireFoundSchema = z.object({
  total: count.describe('How many entries match'),
  searched: count.describe('How many entries were searched'),
  nearest: z.array(z.string()).describe('If nothing was found: words that do occur, close to those of the query'),
  waiting: count.optional().describe('Entries that are not indexed yet: a later search finds more'),
})

/** The description of a query in the API. */
export const QUERY_HELP =
  'Words in any order, the best hits first; "a phrase" in quotation marks; narrowed by `file:`, `tool:`, `role:user`, `is:error`, `before:2026-01-31`, `after:` and `session:`'

export type WireTurnEnd = z.infer<typeof wireTurnEndSchema>
export const wireTurnEndSchema = z
  .object({
    reason: z.enum(['done', 'aborted', 'failed', 'refused', 'step-limit', 'context-limit']),
    text: z.string(),
    answer: z.string(),
    steps: count,
    usage: wireUsageSchema.optional(),
    cost: dollars.optional(),
  })
  .openapi('TurnEnd')

export type WireToken = z.infer<typeof wireTokenSchema>
export const wireTokenSchema = z.object({
  name: z.string(),
  owner: z.string(),
  access: z.enum(['read', 'write']),
  admin: z.boolean().optional().describe('It may make, change and remove tokens'),
  session: z.string().optional().describe('The only session that it shows'),
  workspaces: z.array(z.string()).describe('Workspaces in which tools are on'),
  version: z.string(),
})

/** The name of a preset, or settings of the policy as in the configuration file. */
export const wirePolicySchema = z
  .union([z.string(), z.record(z.string(), z.unknown())])
  .openapi('Policy', { description: 'A preset, or settings in snake_case as in the configuration file' })
