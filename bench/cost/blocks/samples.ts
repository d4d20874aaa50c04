import type { Message } from '../../../src/model/types.ts'
import { editsIn, shows } from '../edits.ts'
import { referencesIn, wordsOf } from '../references.ts'
import type { CostSession } from '../sessions.ts'
import { type Block, blocksIn, placesOf } from './block.ts'
import { type Situation, situationAt } from './situation.ts'
import { blocksFor, pendingUses, type Use, usesIn } from './uses.ts'

/** A place at which a session might be compacted to its tail alone, and what is used afterwards. */
export type Sample = {
  readonly session: CostSession
  readonly situation: Situation
  /** The uses that the tail does not serve. */
  readonly uses: readonly Use[]
  /** The newest blocks that would serve them. */
  readonly used: ReadonlySet<Block>
}

const FIRST = 60_000
const STEP = 20_000
const TAIL = 8_000
/** About what is said between two compactions of the default. */
const WITHIN = 80_000

export function samplesOf(session: CostSession, mostLines: number): Sample[] {
  const { messages } = session.measured
  const blocks = blocksIn(session.measured, mostLines)
  const uses = usesIn(session.measured, referencesIn(session.measured), editsIn(session.measured))
  const places = placesOf(session.measured)
  const samples: Sample[] = []
  let next = FIRST
  for (const [index, { message, seq }] of messages.entries()) {
    const said = places.get(message) ?? 0
    if (said >= next && message.role === 'assistant') {
      next = said + STEP
      const before = messages.slice(0, index)
      const from = said - TAIL
      const view = before.map((one) => one.message).filter((one) => (places.get(one) ?? 0) >= from)
      const situation = situationAt({
        said,
        messages: before,
        blocks: blocks.filter((block) => block.seq < seq),
        view,
        shownWords: new Set(view.flatMap((one) => [...wordsOf(one)])),
        places,
      })
      const unserved = pendingUses(uses, said, WITHIN).filter((use) => !isServed(use, view))
      const used = new Set(unserved.flatMap((use) => blocksFor(use, situation.candidates)))
      samples.push({ session, situation, uses: unserved, used })
    }
  }
  return samples
}

function isServed({ words, lines }: Use, view: readonly Message[]): boolean {
  return lines === undefined
    ? (words ?? []).every((word) => view.some((message) => wordsOf(message).has(word)))
    : lines.every((line) => view.some((message) => shows(message, line)))
}

/** The shares of a sample's used blocks that are kept, and of its uses that the kept blocks serve, as counts. */
export function keptIn({ situation, uses, used }: Sample, kept: readonly Block[]) {
  const isKept = new Set(kept)
  const words = new Set(kept.flatMap((block) => [...block.words]))
  const served = uses.filter((use) =>
    use.lines === undefined
      ? (use.words ?? []).every((word) => situation.shownWords.has(word) || words.has(word))
      : use.lines.every((line) => kept.some(({ text }) => text.includes(line))),
  )
  const blocks = [...used].filter((block) => isKept.has(block)).length
  return { blocks, ofBlocks: used.size, served: served.length, ofUses: uses.length }
}
