import type { Message, Seq } from '../../../src/model/types.ts'
import type { MeasuredLog } from '../../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../../src/tokens/estimate/estimator.ts'
import type { Edit } from '../edits.ts'
import type { Reference } from '../references.ts'
import type { Block } from './block.ts'

/** A later call that needs something said before: all of these words, or all of these lines. */
export type Use = {
  readonly seq: Seq
  /** The tokens that had been said when the call was made, and when its target had last been shown. */
  readonly at: number
  readonly shownAt: number
  readonly words?: readonly string[]
  readonly lines?: readonly string[]
}

/** All uses of a session, in order. */
export function usesIn(
  { messages, estimator }: MeasuredLog,
  references: ReadonlyMap<Seq, readonly Reference[]>,
  edits: ReadonlyMap<Seq, readonly Edit[]>,
): Use[] {
  const uses: Use[] = []
  const shown = new Map<Message, number>()
  let said = 0
  for (const { seq, message } of messages) {
    const at = said
    for (const { words, distance } of references.get(seq) ?? []) uses.push({ seq, at, shownAt: at - distance, words })
    for (const { lines, shownBy } of edits.get(seq) ?? []) {
      uses.push({ seq, at, shownAt: shown.get(shownBy) ?? at, lines })
    }
    said += messageTokens(message, estimator)
    shown.set(message, said)
  }
  return uses
}

/** The uses after a place in the log, within a distance, of what was last shown before it. */
export function pendingUses(uses: readonly Use[], said: number, within: number): Use[] {
  return uses.filter(({ at, shownAt }) => at >= said && at < said + within && shownAt <= said)
}

/** The newest blocks that show what a use needs; none if it is not in any block. */
export function blocksFor({ words, lines }: Use, candidates: readonly Block[]): Block[] {
  if (lines !== undefined) return newest(lines, candidates, (block, line) => block.text.includes(line))
  const all = words ?? []
  const together = candidates.findLast((block) => all.every((word) => block.words.has(word)))
  return together === undefined ? newest(all, candidates, (block, word) => block.words.has(word)) : [together]
}

function newest(
  parts: readonly string[],
  candidates: readonly Block[],
  shows: (block: Block, part: string) => boolean,
): Block[] {
  return parts.flatMap((part) => candidates.findLast((block) => shows(block, part)) ?? [])
}
