import { clip } from '../../../model/text/clip.ts'
import { handle } from '../../../model/text/handle.ts'
import { isEmptyTalk } from '../../extract/text/cues.ts'
import { plain, sentencesOf } from '../../extract/text/sentences.ts'
import type { DigestTurn } from '../../extract/turns-of.ts'
import type { Snippet } from './render-within.ts'

/** The characters of what was said at each level. */
const CHARACTERS = [600, 400, 240, 150, 90] as const
export const SAID_LEVELS = CHARACTERS.length

const MOST = 16
const LEAST_CHARACTERS = 40

/**
 * What the agent said in a turn that is not finished, newest first, its last word aside: no report tells of it yet.
 * Announcements are left out, and so are the sentences that are told already.
 */
export function saidOnTheWay(turn: DigestTurn | undefined, told: ReadonlySet<string>): Snippet[] {
  if (turn === undefined || turn.closing !== undefined) return []
  return turn.said
    .slice(0, -1)
    .map(({ seq, text }) => ({ seq, text: tellingPart(text, told) }))
    .filter(({ text }) => text.length >= LEAST_CHARACTERS)
    .map((one) => ({ ...one, priority: one.seq + weightOf(one.text) }))
    .toSorted((a, b) => b.priority - a.priority)
    .slice(0, MOST)
    .toSorted((a, b) => b.seq - a.seq)
    .map(({ seq, text, priority }) => ({
      priority,
      render: (level) => `- ${handle(seq)} ${clip(text, CHARACTERS[level] ?? 90)}`,
    }))
}

/** What says much and names something outweighs this many entries of age: “still running” says little. */
function weightOf(text: string): number {
  return Math.min(text.length, 400) / 4 + (text.includes('`') ? 40 : 0)
}

const LOOKED_AT = 4_000

function tellingPart(text: string, told: ReadonlySet<string>): string {
  const sentences = sentencesOf(text.slice(0, LOOKED_AT).replace(/^THOUGHT:\s*/, '')).map(plain)
  return sentences.filter((sentence) => !isEmptyTalk(sentence) && !told.has(sentence)).join(' ')
}
