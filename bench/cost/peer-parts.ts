import { type Item, outputText, resultsOf, type Seq, textOf } from '../../src/model/types.ts'
import type { PeerView } from './peer-policy.ts'

/** The cut that leaves `keepTokens` after it, never at a tool result; 0 if everything fits. */
export function cutByTokens({ items, count }: PeerView, keepTokens: number): number {
  let kept = 0
  let cut = items.length
  while (cut > 0 && kept < keepTokens) kept += count(items.slice(--cut, cut + 1))
  if (kept < keepTokens) return 0
  // The message that goes over the budget falls before the cut, as do results whose call it would lose.
  return afterResults(items, Math.min(cut + 1, items.length - 1))
}

/** The cut that leaves `keep` messages, moved forward until no result loses its call. */
export function cutByCount(items: readonly Item[], keep: number): number {
  return afterResults(items, Math.max(0, items.length - keep))
}

function afterResults(items: readonly Item[], from: number): number {
  let cut = from
  while (cut < items.length && items[cut]?.message.role === 'tool') cut++
  return cut
}

/** A tool result in the view, with its size. */
export type Result = { readonly seq: Seq; readonly index: number; readonly tokens: number }

/** The tool results of a view that are worth masking and not masked yet, the oldest first. */
export function openResults({ items, count }: PeerView): Result[] {
  return items.flatMap((item, index) => {
    const texts = resultsOf(item.message).map(({ output }) => outputText(output))
    const isOpen = texts.some((text) => text.length >= 240 && !text.startsWith('[masked to save context'))
    return isOpen ? [{ seq: item.seq, index, tokens: count([item]) }] : []
  })
}

/** The newest of the user's messages that fit into `most` tokens, as one text. */
export function userTexts({ items, count }: PeerView, most: number): string[] {
  const texts: string[] = []
  let tokens = 0
  for (const item of items.toReversed()) {
    if (item.kind !== 'message' || item.message.role !== 'user') continue
    tokens += count([item])
    if (tokens > most) break
    texts.unshift(textOf(item.message))
  }
  return texts.length === 0 ? [] : [texts.join('\n\n')]
}

/** The last results of reading files, each cut at `tokensEach`: an agent reads these again after a compaction. */
export function lastReads({ items }: PeerView, files: number, tokensEach: number): string[] {
  const texts: string[] = []
  for (const item of items.toReversed()) {
    for (const { toolName, output } of resultsOf(item.message)) {
      const text = outputText(output)
      if (/^read/i.test(toolName) && !text.startsWith('[masked')) texts.push(text.slice(0, tokensEach * 4))
    }
    if (texts.length >= files) break
  }
  return texts.slice(0, files).toReversed()
}
