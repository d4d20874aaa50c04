import { isIdentifier } from '../references.ts'
import type { Block } from './block.ts'
import type { Situation, Usage } from './situation.ts'

/** Decides which blocks a record keeps, without a model and without knowing what follows. */
export type BlockRule = { readonly name: string; keep(situation: Situation, mostTokens: number): Block[] }

/** The line above a block with its file, its lines and its handle. */
const HEADING_TOKENS = 20

/** Tokens after which something counts half as recent. */
const HALF_LIFE = 20_000

/** Values the blocks of a situation: the higher, the earlier they are kept. */
type Score = (situation: Situation) => (block: Block) => number

function byScore(name: string, score: Score): BlockRule {
  return { name, keep: (situation, mostTokens) => highest(situation, score(situation), mostTokens) }
}

/** The blocks with the highest score that fit, the newest first among equals. Blocks below 0 and those whose lines are all shown already are left out. */
export function highest({ candidates, shownLines }: Situation, score: (block: Block) => number, mostTokens: number) {
  const shown = new Set(shownLines)
  const kept: Block[] = []
  let room = mostTokens
  const scored = candidates.map((block) => ({ block, score: score(block) })).filter((one) => one.score >= 0)
  for (const { block } of scored.toSorted((a, b) => b.score - a.score || b.block.seq - a.block.seq)) {
    const tokens = block.tokens + HEADING_TOKENS
    if (tokens > room || block.lines.every((line) => shown.has(line))) continue
    kept.push(block)
    room -= tokens
    for (const line of block.lines) shown.add(line)
  }
  return kept
}

/** The newest messages that fit, each with all of its blocks. */
const wholeMessages: BlockRule = {
  name: 'whole messages, newest first',
  keep({ candidates }, mostTokens) {
    let room = mostTokens
    const bySeq = Map.groupBy(candidates.toReversed(), ({ seq }) => seq)
    return [...bySeq.values()].flatMap((blocks) => {
      const tokens = blocks.reduce((sum, block) => sum + block.tokens, HEADING_TOKENS)
      if (tokens > room) return []
      room -= tokens
      return blocks
    })
  },
}

/** The names that calls are likely to use next, shown in as few tokens as possible: the only rule that looks at what is kept already. */
export const LIKELY_NAMES: BlockRule = {
  name: 'likely names, each shown once',
  keep(situation, mostTokens) {
    const values = nameValues(situation)
    const namesOf = new Map(situation.candidates.map((block) => [block, [...block.words].filter((w) => values.has(w))]))
    const kept: Block[] = []
    const shown = new Set<string>()
    const value = (block: Block) =>
      (namesOf.get(block) ?? []).reduce((sum, name) => sum + (shown.has(name) ? 0 : (values.get(name) ?? 0)), 0) /
      (block.tokens + HEADING_TOKENS)
    const waiting = new Descending(situation.candidates.filter((block) => !isList(block)).map((b) => [b, value(b)]))
    let room = mostTokens
    for (let block = waiting.take(value); block !== undefined; block = waiting.take(value)) {
      if (block.tokens + HEADING_TOKENS > room) continue
      kept.push(block)
      room -= block.tokens + HEADING_TOKENS
      for (const name of namesOf.get(block) ?? []) shown.add(name)
    }
    return kept
  },
}

/** How likely each name outside the view is to be used: the more calls have used it, and the later it was said, the more. */
function nameValues({ candidates, called, said, shownWords }: Situation): Map<string, number> {
  const values = new Map<string, number>()
  for (const { words, place } of candidates) {
    for (const word of words) {
      if (shownWords.has(word) || !(isIdentifier(word) || called.has(word))) continue
      values.set(word, (1 + Math.log2(1 + (called.get(word)?.count ?? 0))) * recency(said, place))
    }
  }
  return values
}

/** More than half of its lines are a single word: it names much and says nothing about it. */
function isList({ text }: Block): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return lines.filter((line) => !/\s/.test(line.trim())).length > lines.length / 2
}

/** Blocks by value. Values only fall, so a block whose value is still the highest after it was counted again is the best. */
class Descending {
  #waiting: (readonly [Block, number])[]

  constructor(blocks: readonly (readonly [Block, number])[]) {
    this.#waiting = blocks.toSorted(([, a], [, b]) => a - b)
  }

  take(value: (block: Block) => number): Block | undefined {
    for (let last = this.#waiting.pop(); last !== undefined; last = this.#waiting.pop()) {
      const now = value(last[0])
      if (now >= (this.#waiting.at(-1)?.[1] ?? 0)) return now > 0 ? last[0] : undefined
      const after = this.#waiting.findLastIndex(([, other]) => other <= now)
      this.#waiting.splice(after + 1, 0, [last[0], now])
    }
    return undefined
  }
}

function recency(said: number, place: number | undefined): number {
  return place === undefined ? 0 : HALF_LIFE / (HALF_LIFE + said - place)
}

/** When one of the files of a block was last named or changed. */
function lastOf({ files }: Block, usages: ReadonlyMap<string, Usage>): number | undefined {
  const places = files.flatMap((file) => usages.get(file)?.last ?? [])
  return places.length === 0 ? undefined : Math.max(...places)
}

/** The names that a block shares with others; a name in few blocks counts more. */
function sharing(names: (situation: Situation) => ReadonlySet<string>): Score {
  return (situation) => {
    const blocksWith = new Map<string, number>()
    const wanted = names(situation)
    for (const { words } of situation.candidates) {
      for (const name of wanted) if (words.has(name)) blocksWith.set(name, (blocksWith.get(name) ?? 0) + 1)
    }
    return ({ words }) => [...blocksWith].reduce((sum, [name, count]) => sum + (words.has(name) ? 1 / count : 0), 0)
  }
}

export const BLOCK_RULES: readonly BlockRule[] = [
  wholeMessages,
  byScore(
    'newest first',
    () =>
      ({ place }) =>
        place + 1,
  ),
  byScore(
    'the last version of what was changed last',
    ({ said, changed }) =>
      (block) =>
        recency(said, lastOf(block, changed)) * (block.kind === 'written' || block.kind === 'read' ? 1 : 0),
  ),
  byScore(
    'failures',
    ({ said }) =>
      ({ text, place }) =>
        FAILURE.test(text) ? recency(said, place) : 0,
  ),
  byScore(
    'names of the plan and of the last errors',
    sharing(({ planned, failed }) => new Set([...planned, ...failed])),
  ),
  byScore(
    'read and not changed yet',
    ({ said, changed }) =>
      (block) =>
        block.kind === 'read' && lastOf(block, changed) === undefined ? recency(said, block.place) : 0,
  ),
  byScore(
    'files touched last',
    ({ said, touched }) =>
      (block) =>
        recency(said, lastOf(block, touched)),
  ),
  byScore(
    'files touched most often',
    ({ touched }) =>
      ({ files }) =>
        Math.max(0, ...files.map((file) => touched.get(file)?.count ?? 0)),
  ),
  byScore(
    'names of the last user message',
    sharing(({ asked }) => asked),
  ),
  byScore(
    'names that the agent said last',
    sharing(({ thought }) => thought),
  ),
  LIKELY_NAMES,
]

const FAILURE = /\b(?:FAIL|FAILED|Error|AssertionError|Traceback|panic|✗)\b/
