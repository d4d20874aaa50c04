import { clip } from '../../../model/text.ts'
import { isEmptyTalk, NAMED, reasonScore, statesFinding } from './reason-score.ts'

/** The most informative parts of a text within this many characters, in their order. `…` marks those that are left out. */
export function tellingParts(parts: readonly string[], characters: number): string {
  const last = parts.length - 1
  const ranked = ranking(parts, (part, i) => (i === last && isQuestion(part) ? 1 : rankOf(part, i)))
  return bestParts(ranked, characters)
}

/** The same for a text that was joined from such parts before. A question at its end is no longer open. */
export function tellingText(text: string, characters: number): string {
  return text.length <= characters ? text : bestParts(rankedParts(text), characters)
}

/** The parts of such a text, the best first, for a caller that shortens it to several lengths. */
export function rankedParts(text: string): readonly RankedPart[] {
  const parts = text.split(PART_END).map((part) => part.replace(/^… /, ''))
  return ranking(parts, rankOf)
}

/** Parts end with a full stop or, as items of a list, with a semicolon. */
const PART_END = /(?<=[.!?;。！？])\s+(?=\S)/

export type RankedPart = { readonly part: string; readonly i: number; readonly rank: number }

/** Sorts the parts, the best first. */
function ranking(parts: readonly string[], rankBy: (part: string, i: number) => number): RankedPart[] {
  return parts.map((part, i) => ({ part, i, rank: rankBy(part, i) })).toSorted((a, b) => b.rank - a.rank)
}

/** The best of these parts within this many characters, in their order. */
export function bestParts(ranked: readonly RankedPart[], characters: number): string {
  const kept: RankedPart[] = []
  let left = characters
  for (const one of ranked) {
    if (one.rank <= 0 || one.part.length + GAP.length > left) continue
    left -= one.part.length + GAP.length
    kept.push(one)
  }
  const [best] = ranked
  if (kept.length === 0) return best === undefined ? '' : clip(best.part, characters)
  const inOrder = kept.toSorted((a, b) => a.i - b.i)
  return inOrder.map(({ part, i }, at) => ((inOrder[at - 1]?.i ?? -1) < i - 1 ? `… ${part}` : part)).join(' ')
}

const GAP = ' … '

/** A question at the end of a text is for the user, and may still be open. */
function isQuestion(part: string): boolean {
  return part.length <= LONGEST_QUESTION && /[?？]$/.test(part)
}

const LONGEST_QUESTION = 200

/** How informative a part is for its length; 0 if it says nothing. The first part often introduces the rest. */
function rankOf(part: string, i: number): number {
  const weight = weightOf(part) + (i === 0 ? 1 : 0)
  return weight === 0 ? 0 : (1 + weight) / Math.sqrt(part.length + SHORT)
}

function weightOf(part: string): number {
  const isEmpty = isEmptyTalk(part)
  if (isEmpty) return 0
  const names = Math.min(MOST_NAMES, part.match(NAMES)?.length ?? 0)
  return names + (statesFinding(part, isEmpty) ? 1 : 0) + reasonScore(part, isEmpty)
}

const NAMES = new RegExp(`${NAMED.source}|\\b\\d[\\w.:-]*`, 'g')
const MOST_NAMES = 4
/** Keeps very short parts from ranking first. */
const SHORT = 120
