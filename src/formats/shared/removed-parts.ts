import { fields, list } from './json.ts'

/** A message, or a part of one, that is no longer in a list. `index` and `part` are its position before. */
export type RemovedPart = { readonly index: number; readonly part?: number; readonly value: unknown }

/**
 * The messages and parts of a list that another list, made from it, no longer has: they were summarised, shortened, or have no
 * form there. Parts that stayed are the same objects in both.
 */
export function removedParts(before: readonly unknown[], after: readonly unknown[]): RemovedPart[] {
  const sent = new Set<unknown>(after.flatMap((item) => [item, ...partsIn(item), ...textsIn(item)]))
  return before.flatMap((item, index): RemovedPart[] => {
    if (sent.has(item)) return []
    const parts = partsIn(item)
    if (parts.length === 0) return textsIn(item).some((words) => sent.has(words)) ? [] : [{ index, value: item }]
    return parts.flatMap((value, part) => (sent.has(value) ? [] : [{ index, part, value }]))
  })
}

function partsIn(item: unknown): readonly unknown[] {
  const { content, parts, tool_calls } = fields(item) ?? {}
  return [...list(content), ...list(parts), ...list(tool_calls)]
}

/** Texts are compared by value, because a text may have moved next to other parts. */
function textsIn(item: unknown): string[] {
  const content = fields(item)?.content
  const texts = typeof content === 'string' ? [content] : list(content).map((part) => fields(part)?.text)
  return texts.filter((words): words is string => typeof words === 'string')
}
