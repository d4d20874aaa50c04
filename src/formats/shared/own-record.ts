import { z } from 'zod'
import { checkedWords, FACT_RULES } from '../../engine/extract/checked-words.ts'
import { recordIn } from '../../engine/record/read/read-record.ts'
import type { RecordSeal } from '../../engine/record/read/record-seal.ts'
import { seqSchema } from '../../model/entry-parts-schema.ts'
import { indexDeltaSchema } from '../../model/facts/facts-schema.ts'
import type { Index, IndexDelta, Seq } from '../../model/types.ts'

/** A record of ours in the file of another agent: its facts, and the last entry of the log that it was made of. */
export type OwnRecord = {
  readonly facts: IndexDelta
  readonly lastSeq: Seq
  /** True when these are all facts of the messages before it, not only those in its text. */
  readonly isWhole: boolean
}

/** The name of the field next to a summary that has the facts. Agents keep it and ignore it. */
export const RECORD_FIELD = 'pith'

/** No log has more entries: a larger number was not written by us. */
const MOST_ENTRIES = 250_000

const fieldSchema = z.object({
  version: z.literal(1),
  lastSeq: seqSchema.max(MOST_ENTRIES),
  facts: indexDeltaSchema,
  factRules: z.number().optional(),
})

/** The facts of a record as a field, without those of the messages after it, which will be read again from the file. */
export function recordField(index: Index, lastSeq: Seq, after: ReadonlySet<Seq>): Readonly<Record<string, unknown>> {
  const facts: IndexDelta = { ...index, users: index.users.filter(({ seq }) => !after.has(seq)) }
  const field: z.infer<typeof fieldSchema> = { version: 1, lastSeq, facts: bounded(facts), factRules: FACT_RULES }
  return { [RECORD_FIELD]: field }
}

const MOST_CHARACTERS = 400_000

/** Names and hunks are the largest facts, and the least important ones. */
function bounded(facts: IndexDelta): IndexDelta {
  if (JSON.stringify(facts).length <= MOST_CHARACTERS) return facts
  return { ...facts, seen: [], changes: facts.changes?.map(({ path, seq, edits }) => ({ path, seq, edits })) }
}

/** Recognises a record of ours by its facts in the field, or, if an agent has dropped the field, by its text. */
export function ownRecord(summary: string, field: unknown, seal?: RecordSeal): OwnRecord | undefined {
  const read = recordIn(summary, { seal })
  const data = fieldSchema.safeParse(field).data
  const lastSeq = Math.max(read?.lastSeq ?? 0, data?.lastSeq ?? 0)
  const facts =
    data === undefined ? read?.facts : data.factRules === undefined ? checkedWords(data.facts, []) : data.facts
  return facts === undefined || lastSeq > MOST_ENTRIES ? undefined : { facts, lastSeq, isWhole: data !== undefined }
}
