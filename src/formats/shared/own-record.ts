import { z } from 'zod'
import { boundedFacts } from '../../engine/extract/bounded-facts.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { readOwnRecord } from '../../engine/record/record-place.ts'
import { indexDeltaSchema, seqSchema } from '../../model/entry-parts-schema.ts'
import type { EntryOf, Index, IndexDelta, MessageItem, Seq } from '../../model/types.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { type Sizes as ItemSizes, tokensAt, tokensBetween } from '../../tokens/sizes.ts'
import { isPossibleCount, unexplainedTokens } from '../../tokens/status.ts'

/** A record of ours in the file of another agent: its facts, and the last entry of the log that it was made of. */
export type OwnRecord = {
  readonly facts: IndexDelta
  readonly lastSeq: Seq
  /** True when these are all facts of the messages before it, not only those in its text. */
  readonly isWhole: boolean
  /** The sizes of the compaction, as they were shown when it was made. */
  readonly sizes?: RecordSizes
}

type RecordSizes = Pick<EntryOf<'compaction'>, 'tokensBefore' | 'tokensAfter' | 'unseenTokens'>

/** The name of the field next to a summary that has the facts. Agents keep it and ignore it. */
export const RECORD_FIELD = 'pith'

/** No log has more entries: a larger number was not written by us. */
const MOST_ENTRIES = 250_000

const tokens = z.number().int().nonnegative()

const fieldSchema = z.object({
  version: z.literal(1),
  lastSeq: seqSchema.max(MOST_ENTRIES),
  facts: indexDeltaSchema,
  sizes: z.object({ tokensBefore: tokens, tokensAfter: tokens, unseenTokens: tokens }).optional().catch(undefined),
})

/** The facts of a record as a field, without those of the messages after it, which will be read again from the file. */
export function recordField(
  index: Index,
  lastSeq: Seq,
  after: ReadonlySet<Seq>,
  { tokensBefore = 0, tokensAfter = 0, unseenTokens }: Partial<RecordSizes> = {},
): Readonly<Record<string, unknown>> {
  const facts: IndexDelta = { ...index, users: index.users.filter(({ seq }) => !after.has(seq)) }
  // Without the part that is not in the log, a reader of the file finds the sizes itself.
  const sizes = unseenTokens === undefined ? undefined : { tokensBefore, tokensAfter, unseenTokens }
  const field: z.infer<typeof fieldSchema> = {
    version: 1,
    lastSeq,
    facts: bounded(facts),
    sizes,
  }
  return { [RECORD_FIELD]: field }
}

const MOST_CHARACTERS = 400_000

/** The texts of changes are the largest facts, and the least important ones. */
function bounded(facts: IndexDelta): IndexDelta {
  if (JSON.stringify(facts).length <= MOST_CHARACTERS) return facts
  return { ...facts, changes: facts.changes?.map(({ path, seq, edits }) => ({ path, seq, edits })) }
}

/** Recognises a record of ours by its facts in the field, or, if an agent has dropped the field, by its text. */
export function ownRecord(summary: string, field: unknown): OwnRecord | undefined {
  const read = readOwnRecord(summary)
  const data = fieldSchema.safeParse(field).data
  const lastSeq = Math.max(read?.lastSeq ?? 0, data?.lastSeq ?? 0)
  const facts = data?.facts ?? (read === undefined ? undefined : {})
  if (facts === undefined || lastSeq > MOST_ENTRIES) return undefined
  return { facts, lastSeq, isWhole: data !== undefined, sizes: data?.sizes }
}

/** The known facts about a compaction that another agent has made. */
type ForeignCompaction = Pick<EntryOf<'compaction'>, 'upTo' | 'keep' | 'reason' | 'model'> & {
  /** Its author. */
  readonly by: string | undefined
  /** The summary as the agent's model sees it. */
  readonly shown: string
  /** The messages that the summary replaces. */
  readonly removed: readonly MessageItem[]
  readonly facts: IndexDelta
  /** The tokens before it, as the provider counted them; 0 when nobody knows. */
  readonly counted: number
  /**
   * The sizes of the messages that the model saw before, calibrated on the log before it. With an estimator that counts too
   * little, the difference would look like a part of the prompt.
   */
  readonly sizes: ItemSizes
  /** The tokens of the first request beyond its messages, if they are known. */
  readonly around: number | undefined
}

/** The entry for it. Its frame shows the summary unchanged, so that the view has the messages that the other agent's model saw. */
export function foreignCompaction(foreign: ForeignCompaction) {
  const { upTo, keep, shown, removed, facts, reason, model, by } = foreign
  return {
    type: 'compaction' as const,
    from: 0,
    upTo,
    keep,
    summary: shown,
    ...(by === undefined ? {} : { by }),
    frame: 'keen' as const,
    indexDelta: facts,
    messages: removed.length,
    reason,
    rung: 'cold' as const,
    ...sizesOf(foreign),
    model,
  }
}

/** The facts of the messages that it removed from the agent's view. */
export function foreignFacts(removed: readonly MessageItem[]): IndexDelta {
  return boundedFacts(indexDelta(removed))
}

type Sizes = Pick<EntryOf<'compaction'>, 'tokensBefore' | 'tokensAfter' | 'drift'>

/** Both sizes are of the whole request: the part of the provider's count that is not in a message stays. */
function sizesOf({ sizes, removed, shown, counted, around }: ForeignCompaction): Sizes {
  const estimated = tokensBetween(sizes, 0, sizes.items.length)
  const before = counted > 0 ? counted : estimated
  const saved = tokensOf(removed, sizes) - messageTokens({ role: 'user', content: shown }, sizes.estimator)
  const beside = Math.round(unexplainedTokens(before, estimated, around))
  // The messages are scaled to the rest of the provider's count.
  const share = (before - beside) / Math.max(1, estimated)
  const tokensAfter = Math.max(0, Math.round(beside + (estimated - saved) * share))
  const factor = isPossibleCount(before, estimated) && share > 0 ? share : 1
  return { tokensBefore: before, tokensAfter, ...(counted > 0 ? { drift: { factor, beside } } : {}) }
}

/**
 * The sizes of a reduction after the first report of a provider, which also counted `laterTokens` of messages since. If no
 * provider had counted the context before, its estimated size is scaled by the report, too.
 */
export function countedSizes(
  { tokensBefore, tokensAfter, drift }: Sizes,
  reported: number,
  laterTokens: number,
): Pick<Sizes, 'tokensBefore' | 'tokensAfter'> {
  if (!isPossibleCount(reported, tokensAfter + laterTokens)) return { tokensBefore, tokensAfter }
  const after = Math.max(0, reported - laterTokens)
  const before = drift === undefined ? Math.round(tokensBefore * (after / Math.max(1, tokensAfter))) : tokensBefore
  return { tokensBefore: before, tokensAfter: after }
}

function tokensOf(removed: readonly MessageItem[], sizes: ItemSizes): number {
  const seqs = new Set(removed.map(({ seq }) => seq))
  return sizes.items.slice().reduce((sum, { seq }, at) => (seqs.has(seq) ? sum + tokensAt(sizes, at) : sum), 0)
}
