import {
  type CompactInput,
  type CompactResult,
  compact,
  type SummaryItem,
  type SummaryModel,
} from '../../src/engine.ts'
import type { Cut } from './cuts.ts'
import { textOf } from './shown.ts'

type Options = { readonly summaryModels?: readonly SummaryModel[] }

/** A compaction by the default policy in a window of 200,000 tokens: what a user gets who asks for one here. */
export function defaultCompaction(
  { log }: Pick<Cut, 'log'>,
  { summaryModels = [] }: Options = {},
): Promise<CompactResult> {
  return compact({ log: uncounted(log), reason: 'manual', model: MODEL, summaryModels })
}

/** A text that stands for a whole span, and why no model's summary is in it where one was asked. */
export type SpanText = { readonly text: string; readonly refusal?: string }

/**
 * What stands for the whole span in so many characters: a record, and the few messages that no policy lets go, the last
 * request whole and the beginnings of results that nobody has read, at most half of it. The record says of those that they stand behind it.
 */
export async function spanText(
  { log }: Pick<Cut, 'log'>,
  characters: number,
  { summaryModels = [] }: Options = {},
): Promise<SpanText> {
  const run = (recordCharacters: number, models: readonly SummaryModel[]) => {
    const rungs = [...(models.length === 0 ? [] : (['cold'] as const)), 'digest' as const, 'squeeze' as const]
    const policy = { keepMessages: 0, rungs }
    return compact({ log, model: MODEL, policy, recordCharacters, summaryModels: models })
  }
  const kept = keptText(await run(characters, [])).slice(0, characters / 2)
  const result = await run(characters - kept.length - 1, summaryModels)
  const refused = result.compacted && result.refusal !== undefined ? { refusal: result.refusal } : {}
  return { text: [recordText(result), kept].filter((text) => text !== '').join('\n'), ...refused }
}

/** As much as a note about a result would take. */
const KEPT_CHARACTERS = 400

function keptText({ view }: CompactResult): string {
  const kept = view.items.slice().filter((item) => item.kind !== 'summary')
  const most = (role: string) => (role === 'user' ? Number.POSITIVE_INFINITY : KEPT_CHARACTERS)
  return kept.map(({ message }) => textOf(message).slice(0, most(message.role))).join('\n')
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
