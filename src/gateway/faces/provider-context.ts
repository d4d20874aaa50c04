import { type Fields, fields, objects, text, wholeNumber } from '../../formats/shared/json.ts'
import { hasNativeCompaction } from '../../model/items.ts'
import type { Message, ProviderReduction } from '../../model/types.ts'

/**
 * The reductions of the context that an answer reports. Anthropic lists the edits that it applied, such as
 * `{ type: 'clear_tool_uses_20250919', cleared_tool_uses: 8, cleared_input_tokens: 50000 }`; other providers use the same
 * form. A compaction by the provider is a part of the answer. Undefined if there are none.
 */
export function reductionsIn(management: unknown, message: Message | undefined): ProviderReduction[] | undefined {
  const edits = objects(fields(management)?.applied_edits).flatMap(reduction)
  const compacted = message !== undefined && hasNativeCompaction(message) ? [{ what: 'compacted' }] : []
  const all = [...edits, ...compacted]
  return all.length === 0 ? undefined : all
}

/** One edit. The number that is not of tokens says what was cleared: also for kinds that we do not know yet. */
function reduction(edit: Fields): ProviderReduction[] {
  const tokens = wholeNumber(edit.cleared_input_tokens)
  const [things, count] =
    Object.entries(edit).find(([key, value]) => /^cleared_(?!input_tokens$)/.test(key) && wholeNumber(value)) ?? []
  if (!tokens && things === undefined) return []
  const what = things?.replace(/^cleared_/, '') ?? (text(edit.type) ?? 'unknown').replace(/^clear_|_\d+$/g, '')
  return [{ what: what.replaceAll('_', ' ').slice(0, MOST_CHARACTERS), count: wholeNumber(count), tokens }]
}

const MOST_CHARACTERS = 40
