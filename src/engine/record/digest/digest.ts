import type { Index } from '../../../model/facts/log-index.ts'
import type { StatementFact } from '../../../model/facts/statement-fact.ts'
import { clip } from '../../../model/text/clip.ts'
import { handle } from '../../../model/text/handle.ts'
import type { Item, SummaryItem } from '../../../model/view.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { statementsIn } from '../../extract/statements.ts'
import { reasonScore } from '../../extract/text/reason-score.ts'
import { tellingText } from '../../extract/text/telling-parts.ts'
import { withOwnLines } from '../escape.ts'
import { fitBlocks, type RecordBlock, sectionTexts } from '../sections/fit-blocks.ts'
import { HEADING, SECTION } from '../sections/section-titles.ts'
import { CARRIED_LEVELS, carriedAgain, carriedLines } from './carried.ts'
import { onwardLines } from './onward-lines.ts'
import type { DatedSnippet, Snippet } from './render-within.ts'
import { SAID_LEVELS, saidOnTheWay } from './said-on-the-way.ts'
import { underWay } from './under-way.ts'

export type DigestInput = {
  /** The items to summarise; an earlier summary at their front is brought forward. */
  readonly items: readonly Item[]
  /** All facts up to the end of the items, those of earlier spans included. */
  readonly index: Index
  readonly tokens: number
  readonly estimator: Estimator
  /** What stays verbatim behind the record: it is not told as open. */
  readonly tail?: readonly Item[]
}

/**
 * The narrative of a record, made without a model from what the agent said: what it reported, the reasons it gave, what it
 * left open. The same input gives the same text to the byte. What the log knows for certain stands beside it in the record.
 */
export function digest(input: DigestInput): string {
  const blocks = blocksOf(input)
  const lines = fitBlocks(blocks, input.tokens, input.estimator.text)
  const sections = sectionTexts([SECTION.stand, SECTION.why, SECTION.earlier, SECTION.onward], blocks, lines)
  return withOwnLines(sections.join('\n\n'))
}

/** The rung asks for less and less until the context fits, so the blocks are made once. */
function blocksOf(input: DigestInput): readonly RecordBlock[] {
  const known = remembered.get(input.items)
  if (known !== undefined && known.index === input.index) return known.blocks
  const blocks = allBlocks(input)
  remembered.set(input.items, { index: input.index, blocks })
  return blocks
}

const remembered = new WeakMap<readonly Item[], { index: Index; blocks: readonly RecordBlock[] }>()

function allBlocks({ items, index, tokens, tail = [] }: DigestInput): RecordBlock[] {
  const summaries = items.filter((item): item is SummaryItem => item.kind === 'summary')
  const carried = summaries.map(({ text, written }) => (written ? carriedLines(text) : carriedAgain(text)))
  const statements = index.statements ?? statementsIn(items)
  const { block, told } = reportedBlock(statements, tokens)
  const chosen = bestReasons(statements, told)
  const why = reasonSnippets(chosen)
  return [
    { section: SECTION.stand, snippets: underWay(items, tail), levels: 5, tier: 1, share: 18 },
    {
      section: SECTION.stand,
      heading: HEADING.onTheWay,
      snippets: saidOnTheWay(items, new Set(chosen.map(({ text }) => text))),
      levels: SAID_LEVELS,
      tier: 2,
      least: 4,
      share: 24,
      what: 'older words of the agent',
    },
    block,
    {
      section: SECTION.why,
      snippets: [...carried.flatMap((lines) => lines.why), ...why],
      levels: CARRIED_LEVELS,
      tier: 2,
      least: 5,
      share: 34,
      what: 'older reasons',
    },
    {
      section: SECTION.earlier,
      snippets: carried.flatMap(({ earlier }) => earlier),
      levels: CARRIED_LEVELS,
      tier: 2,
      least: 8,
      share: 60,
      what: 'lines of an earlier summary',
    },
    { section: SECTION.onward, snippets: onwardLines(items, tail), levels: 5, tier: 1, share: 10 },
  ]
}

/** The characters of an answer at each level; the newest have more, as later ones build on older ones. */
const ANSWER = [1_400, 900, 600, 400, 280, 180, 120] as const
const SHORTEST_ANSWER = 120

function reportedBlock(
  statements: readonly StatementFact[],
  tokens: number,
): { block: RecordBlock; told: ReadonlySet<number> } {
  const answers = statements.filter(({ kind, text }) => kind === 'answer' && text.length > 50).toReversed()
  const shown = answers.slice(0, Math.max(MOST_ANSWERS, Math.floor(tokens / TOKENS_AN_ANSWER)))
  const snippets = shown.map(({ seq, asked, text }, age): Snippet => {
    const about = asked === undefined ? '' : ` (to ${handle(asked)})`
    const lower = AGES.filter((most) => age >= most).length
    return {
      priority: seq,
      render: (level) => `- ${handle(seq)}${about} ${tellingText(text, ANSWER[level + lower] ?? SHORTEST_ANSWER)}`,
    }
  })
  const block: RecordBlock = {
    section: SECTION.stand,
    heading: HEADING.reported,
    snippets,
    levels: 6,
    tier: 2,
    least: 4,
    share: 45,
    what: 'older reports of the agent',
    leftOut: answers.length - shown.length,
  }
  return { block, told: new Set(shown.slice(0, 3).map(({ seq }) => seq)) }
}

/** The last report is told at length, older ones at less and less. */
const AGES = [1, 3, 8, 16] as const

/** At the default size; more where there is room for more. */
const MOST_ANSWERS = 24
const TOKENS_AN_ANSWER = 120

/** Few and good: the best of all, in the order in which they were said. */
const MOST_REASONS = 30
const REASON = [400, 320, 260, 200, 150, 110] as const

function bestReasons(statements: readonly StatementFact[], told: ReadonlySet<number>): StatementFact[] {
  return statements
    .filter(({ kind, seq }) => kind === 'reason' && !told.has(seq))
    .toSorted((a, b) => reasonRank(b) - reasonRank(a))
    .slice(0, MOST_REASONS)
    .toSorted((a, b) => a.seq - b.seq)
}

function reasonSnippets(reasons: readonly StatementFact[]): DatedSnippet[] {
  return reasons.map((fact) => ({
    seq: fact.seq,
    priority: reasonRank(fact),
    render: (level) => `- ${handle(fact.seq)} ${clip(fact.text, REASON[level] ?? 110)}`,
  }))
}

function reasonRank({ seq, text }: StatementFact): number {
  return reasonScore(text) * PER_SCORE + seq
}

/** A better reason outweighs this many entries of age. */
const PER_SCORE = 150
