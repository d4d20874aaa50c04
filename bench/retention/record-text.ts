import {
  type CompactInput,
  type CompactResult,
  compact,
  type SummaryItem,
  type SummaryModel,
} from '../../src/engine/index.ts'
import type { Cut } from './cuts.ts'

type Options = { readonly summaryModels?: readonly SummaryModel[] }

/** A compaction by the default policy in a window of 200,000 tokens: what a user gets who asks for one here. */
export function defaultCompaction(
  { log }: Pick<Cut, 'log'>,
  { summaryModels = [] }: Options = {},
): Promise<CompactResult> {
  return compact({ log: uncounted(log), reason: 'manual', model: MODEL, summaryModels })
}

/** A compaction of the whole span to a record as long as it is wanted: no tail stands behind it. */
export function compactionOfLength(
  { log }: Pick<Cut, 'log'>,
  recordCharacters: number,
  { summaryModels = [] }: Options = {},
): Promise<CompactResult> {
  const ladder =
    summaryModels.length === 0 ? (['digest', 'squeeze'] as const) : (['cold', 'digest', 'squeeze'] as const)
  const policy = { keepMessages: 0, rungs: [...ladder] }
  return compact({ log, model: MODEL, policy, recordCharacters, summaryModels })
}

/** What stands between the marks of the record; empty where nothing was compacted. */
export function recordText(result: CompactResult): string {
  const summary = result.view.items.slice().find((item): item is SummaryItem => item.kind === 'summary')
  const text = result.compacted && summary !== undefined ? summary.message.content : ''
  return /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(typeof text === 'string' ? text : '')?.[2] ?? ''
}

const MODEL = { contextWindow: 200_000 }

/** What a provider counted is of other views, system prompt and tools included. */
function uncounted(log: Cut['log']): CompactInput['log'] {
  return log.map((entry) => (entry.type === 'message' ? { ...entry, usage: undefined } : entry))
}
