import {
  type CompactInput,
  type CompactResult,
  compact,
  type Rung,
  type SummaryItem,
  type SummaryModel,
} from '../../src/engine.ts'
import { messageShown } from '../../src/eval/truth/needed.ts'
import type { Cut } from './cuts.ts'

type Options = { readonly summaryModels?: readonly SummaryModel[] }

/** A compaction by the default policy in a window of 200,000 tokens, as if the user asked for one here. */
export function defaultCompaction(
  { log }: Pick<Cut, 'log'>,
  { summaryModels = [] }: Options = {},
): Promise<CompactResult> {
  return compact({ log: uncounted(log), reason: 'manual', model: MODEL, summaryModels })
}

/**
 * A text of at most this many characters that replaces the whole span: a record, and the few messages that every policy keeps, the
 * last request whole and the beginnings of unread results, at most half of it. The record says that these follow it.
 */
export async function spanText({ log }: Pick<Cut, 'log'>, characters: number): Promise<string> {
  let shortest = ''
  for (const share of TARGET_SHARES) {
    const targetMaxTokens = Math.max(1, Math.floor(characters * share))
    const policy = { keepMessages: 0, rungs: RUNGS, targetMaxTokens }
    const result = await compact({ log, model: MODEL, policy })
    const kept = keptText(result).slice(0, characters / 2)
    shortest = [recordText(result), kept].filter((text) => text !== '').join('\n')
    if (shortest.length <= characters) return shortest
  }
  return shortest.slice(0, characters)
}

const RUNGS: Rung[] = ['digest', 'squeeze']

/** Targets in tokens for one character, the largest first: how long a record of a target is shows only when it is written. */
const TARGET_SHARES = [1, 0.8, 0.65, 0.5, 0.42, 0.36, 0.3, 0.26, 0.22, 0.18, 0.15, 0.12, 0.1]

/** About the size of a note about a result. */
const KEPT_CHARACTERS = 400

function keptText({ view }: CompactResult): string {
  const kept = view.items.slice().filter((item) => item.kind !== 'summary')
  const most = (role: string) => (role === 'user' ? Number.POSITIVE_INFINITY : KEPT_CHARACTERS)
  return kept.map(({ message }) => messageShown(message).slice(0, most(message.role))).join('\n')
}

/** The text between the marks of the record; empty if nothing was compacted. */
export function recordText(result: CompactResult): string {
  const summary = result.view.items.slice().find((item): item is SummaryItem => item.kind === 'summary')
  const text = result.compacted && summary !== undefined ? summary.message.content : ''
  return /<(record-[0-9a-f]+)>\n([\s\S]*)\n<\/\1>/.exec(typeof text === 'string' ? text : '')?.[2] ?? ''
}

const MODEL = { contextWindow: 200_000 }

/** Drops the provider's counts: they are of other views and include the system prompt and tools. */
function uncounted(log: Cut['log']): CompactInput['log'] {
  return log.map((entry) => (entry.type === 'message' ? { ...entry, usage: undefined } : entry))
}
