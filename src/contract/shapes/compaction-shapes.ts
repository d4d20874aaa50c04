import { z } from '@hono/zod-openapi'
import { rungSchema } from '../../model/policy/policy-schema.ts'
import {
  wireCount as count,
  wireDollars as dollars,
  wireSeq as seq,
  wireTime as time,
  wireMessageSchema,
  wirePlacedEntrySchema,
  wireUsageSchema,
} from './shapes.ts'

/** The shapes of compactions over HTTP: past ones, previews, and the messages that one lost. */

const REFUSAL = 'Why no model’s summary was accepted, if a model was asked and a digest was made instead'

export type WireCompaction = z.infer<typeof wireCompactionSchema>
export const wireCompactionSchema = z
  .object({
    seq,
    at: time,
    reason: z.enum(['manual', 'threshold', 'overflow', 'limit']),
    rung: z.enum(rungSchema.options),
    tokens_before: count,
    tokens_after: count,
    messages_removed: count,
    model: z.string().optional(),
    usage: wireUsageSchema.optional(),
    cost: dollars.optional(),
    refusal: z.string().optional().describe(REFUSAL),
    undone: z.boolean(),
  })
  .openapi('Compaction')

export type WireFact = z.infer<typeof wireFactSchema>
export const wireFactSchema = z
  .object({
    kind: z.enum(['file', 'command', 'error', 'todo', 'user', 'constraint', 'identifier', 'printed']),
    text: z.string(),
    detail: z.string().optional(),
    seqs: z.array(seq).describe('The entries that the fact came from'),
  })
  .openapi('Fact')

export type WireCompactionDetail = z.infer<typeof wireCompactionDetailSchema>
export const wireCompactionDetailSchema = wireCompactionSchema
  .extend({
    from: seq,
    up_to: seq,
    stands_for: count
      .optional()
      .describe(
        'How many messages of the log the record replaces, including those that an earlier record had replaced. Servers up to 0.2 do not send it',
      ),
    keep: z.array(seq),
    summary: z.string().describe('The current text: after an edit, the user’s'),
    record: z.string().describe('Everything that the model sees instead of the messages, facts included'),
    earlier: z.object({ seq, record: z.string() }).optional().describe('The record that this one replaced'),
    edited: z.boolean(),
    focus: z.string().optional(),
    flagged: z.array(z.string()).describe('Names in the summary that its source does not contain'),
    facts: z.array(wireFactSchema).describe('The facts that the index has about the span'),
    before: z.array(wirePlacedEntrySchema).describe('A page of the messages that the summary replaced'),
    before_total: count,
    after: z.array(wireMessageSchema).describe('The messages that replaced them'),
  })
  .openapi('CompactionDetail')

/** A message that is neither in the record nor in the tail. */
export type WireLostMessage = z.infer<typeof wireLostMessageSchema>
export const wireLostMessageSchema = z
  .object({
    seq,
    role: z.enum(['user', 'assistant', 'tool', 'system']),
    name: z.string().describe('A path, a command, or its first words'),
    tokens: count,
    first_line: z.string(),
    why: z.array(z.string()).describe('The reasons for its position in the list, the strongest first'),
    since: seq.optional().describe('The earlier compaction, mask or squeeze that had already removed or shortened it'),
    step: z.array(seq).describe('The entries that come back with it: a call and its results'),
    step_tokens: count,
    does_not_fit: z.string().optional().describe('Why it cannot be put back now'),
  })
  .openapi('LostMessage')

export type WireLoss = z.infer<typeof wireLossSchema>
export const wireLossSchema = z
  .object({
    total: count.describe('The number of all lost messages; `messages` has the first of them'),
    tokens: count.describe(
      'The tokens that they had in the context before the compaction: never more than its `tokens_before`. Messages with `since` are not in it',
    ),
    earlier: count.optional().describe('How many of them have `since`'),
    messages: z.array(wireLostMessageSchema).describe('Those that are likely to matter first'),
  })
  .openapi('Loss')

export type WireCompactResult = z.infer<typeof wireCompactResultSchema>
export const wireCompactResultSchema = z
  .object({
    id: z.string().describe('The id under which the compaction ran'),
    compacted: z.boolean(),
    outcome: z.enum(['compacted', 'skipped', 'failed', 'cancelled']),
    reason: z.string(),
    skip: z.string().optional(),
    text: z.string().openapi({ example: 'Conversation compacted: 12 messages → summary' }),
    seq: seq.optional().describe('The entry of the compaction'),
    messages: z.array(wireMessageSchema).describe('The messages of the view after it'),
    tokens_before: count,
    tokens_after: count,
    messages_removed: count,
    cut: count.optional().describe('How many messages of the earlier context are before the cut'),
    summary: z.string(),
    rung: z.enum(rungSchema.options).optional(),
    model: z.string().optional(),
    usage: wireUsageSchema.optional(),
    cost: dollars.optional(),
    refusal: z.string().optional().describe(REFUSAL),
    flagged: z.array(z.string()),
    left_out: z
      .object({ tokens: count, seqs: z.array(seq) })
      .optional()
      .describe('Tokens of the newest messages that do not fit, and the entries that have them whole'),
    read_files: z.array(z.string()),
    modified_files: z.array(z.string()),
  })
  .openapi('CompactResult')

export type WirePreview = z.infer<typeof wirePreviewSchema>
export const wirePreviewSchema = z
  .object({
    dry_run: z.literal(true),
    would_compact: z.boolean(),
    reason: z.string(),
    skip: z.string().optional(),
    tokens: count,
    from: seq.optional(),
    up_to: seq.optional(),
    messages: count.optional().describe('Messages that a summary would replace'),
    span_tokens: count.optional(),
    kept: z.array(wireMessageSchema).optional().describe('The messages that would stay unchanged'),
    squeezed: z.array(seq).optional(),
    estimated_cost: dollars.optional(),
  })
  .openapi('CompactPreview')
