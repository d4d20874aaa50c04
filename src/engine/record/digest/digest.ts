import { clip, handle, oneLine } from '../../../model/text.ts'
import {
  callsOf,
  type Index,
  type Item,
  isLeftOutLine,
  isUserMessage,
  jsonText,
  outputText,
  resultsOf,
  type StatementFact,
  type SummaryItem,
  textOf,
} from '../../../model/types.ts'
import type { Estimator } from '../../../tokens/estimate/estimator.ts'
import { coveredBy, refutedBy } from '../../extract/refuted.ts'
import { type DigestTurn, statementsIn, turnsOf } from '../../extract/statements.ts'
import {
  bestParts,
  isEmptyTalk,
  LEAST_REASON,
  plain,
  rankedParts,
  reasonScore,
  sentencesOf,
} from '../../extract/text/sentences.ts'
import { withOwnLines } from '../escape.ts'
import { fitBlocks, type PricedBlock, pricedBlocks, type RecordBlock, sectionTexts } from '../sections/fit-blocks.ts'
import { withCounts } from '../sections/record-facts.ts'
import { HEADING, SECTION, UNDER_WAY } from '../sections/section-titles.ts'
import { CARRIED_LEVELS, carriedAgain, carriedLines, type Since } from './carried.ts'
import type { DatedSnippet, Snippet } from './render-within.ts'

export type DigestInput = {
  /** The items to summarise; an earlier summary at their front is brought forward. */
  readonly items: readonly Item[]
  /** All facts up to the end of the items, those of earlier spans included. */
  readonly index: Index
  readonly tokens: number
  readonly estimator: Estimator
  /** The items that stay verbatim after the record: they are not shown as open. */
  readonly tail?: readonly Item[]
}

/**
 * The narrative of a record, made without a model from what the agent said: what it reported, the reasons it gave, what it
 * left open. The same input gives the same text to the byte. Facts from the log are beside it in the record.
 */
export function digest(input: DigestInput): string {
  return digestWithin(input.tokens, digestBlocks(input))
}

/** The text of a digest in so many tokens, no more than its blocks were made for. */
export function digestWithin(tokens: number, blocks: readonly PricedBlock[]): string {
  const lines = fitBlocks(blocks, tokens)
  const sections = sectionTexts([SECTION.state, SECTION.reasons, SECTION.earlier, SECTION.nextSteps], blocks, lines)
  return withOwnLines(sections.join('\n\n'))
}

/** All that a digest of at most so many tokens is made of. A rung that asks for less and less makes it once. */
export function digestBlocks(input: DigestInput): readonly PricedBlock[] {
  return pricedBlocks(withCounts(allBlocks(input), input.index), input.estimator.text)
}

function allBlocks({ items, index, tokens, tail = [] }: DigestInput): RecordBlock[] {
  const turn = turnsOf(items).at(-1)
  const summaries = items.filter((item): item is SummaryItem => item.kind === 'summary')
  const carried = summaries.map((item) => {
    const since = sinceOf(item, index)
    return item.written ? carriedLines(item, since) : carriedAgain(item.text, since)
  })
  const statements = index.statements ?? statementsIn(items)
  const { block, shown } = reportedBlock(statements, tokens)
  const chosen = bestReasons(statements, shown, refutedBy(index))
  const why = reasonSnippets(chosen)
  return [
    { section: SECTION.state, snippets: underWay(turn, items, tail), levels: 5, tier: 1, share: 18 },
    {
      section: SECTION.state,
      heading: HEADING.onTheWay,
      snippets: saidOnTheWay(turn, new Set(chosen.map(({ text }) => text)), refutedBy(index, 0)),
      levels: SAID_LEVELS,
      tier: 2,
      least: 4,
      share: 24,
      what: 'older words of the agent',
    },
    block,
    ...leftOutBlock(items),
    {
      section: SECTION.reasons,
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
    { section: SECTION.nextSteps, snippets: openPoints(turn, tail), levels: 5, tier: 1, share: 10 },
  ]
}

/** The lines about messages that were left out of the view. Nothing else of these messages is quoted. */
function leftOutBlock(items: readonly Item[]): RecordBlock[] {
  const lines = items.filter(isLeftOutLine)
  if (lines.length === 0) return []
  const snippets = lines.map(
    ({ place, message }): Snippet => ({
      priority: place,
      render: () => `- ${textOf(message).replace(/^\[|\]$/g, '')}`,
    }),
  )
  const what = 'parts that were left out'
  return [{ section: SECTION.state, snippets, levels: 1, tier: 2, least: 4, share: 6, what }]
}

function sinceOf({ upTo }: SummaryItem, index: Index): Since {
  return { isCovered: coveredBy(index, upTo), hasTodos: index.todos.some(({ seq }) => seq > upTo) }
}

/** The characters of an answer at each level; the newest have more, as later ones build on older ones. */
const ANSWER = [1_400, 900, 600, 400, 280, 180, 120] as const
const SHORTEST_ANSWER = 120

function reportedBlock(
  statements: readonly StatementFact[],
  tokens: number,
): { block: RecordBlock; shown: ReadonlySet<number> } {
  const answers = statements.filter(({ kind, text }) => kind === 'answer' && text.length > 50).toReversed()
  const shown = answers.slice(0, Math.max(MOST_ANSWERS, Math.floor(tokens / TOKENS_AN_ANSWER)))
  const snippets = shown.map(({ seq, asked, text }, age): Snippet => {
    const about = asked === undefined ? '' : ` (to ${handle(asked)})`
    const lower = AGES.filter((most) => age >= most).length
    const parts = text.length <= SHORTEST_ANSWER ? [] : rankedParts(text)
    return {
      priority: seq,
      render: (level) => {
        const most = ANSWER[level + lower] ?? SHORTEST_ANSWER
        return `- ${handle(seq)}${about} ${text.length <= most ? text : bestParts(parts, most)}`
      },
    }
  })
  const block: RecordBlock = {
    section: SECTION.state,
    heading: HEADING.reported,
    snippets,
    levels: 6,
    tier: 2,
    least: 4,
    share: 45,
    what: 'older reports of the agent',
    leftOut: answers.length - shown.length,
  }
  return { block, shown: new Set(shown.slice(0, 3).map(({ seq }) => seq)) }
}

/** The last report is shown at length, older ones are shorter and shorter. */
const AGES = [1, 3, 8, 16] as const

/** At the default size; more if there is room. */
const MOST_ANSWERS = 24
const TOKENS_AN_ANSWER = 120

/** Few and good: the best of all, in the order in which they were said. */
const MOST_REASONS = 30
const REASON = [400, 320, 260, 200, 150, 110] as const

type RankedReason = StatementFact & { readonly rank: number }

function bestReasons(
  statements: readonly StatementFact[],
  shown: ReadonlySet<number>,
  isRefuted: (fact: StatementFact) => boolean,
): RankedReason[] {
  return (
    statements
      .filter(({ kind, seq }) => kind === 'reason' && !shown.has(seq))
      .map((fact) => ({ fact, score: reasonScore(fact.text) }))
      // Earlier versions stored more.
      .filter(({ fact, score }) => score >= LEAST_REASON && !isRefuted(fact))
      .map(({ fact, score }) => ({ ...fact, rank: score * PER_SCORE + fact.seq }))
      .sort((a, b) => b.rank - a.rank)
      .slice(0, MOST_REASONS)
      .sort((a, b) => a.seq - b.seq)
  )
}

function reasonSnippets(reasons: readonly RankedReason[]): DatedSnippet[] {
  return reasons.map(({ seq, text, rank }) => ({
    seq,
    priority: rank,
    render: (level) => `- ${handle(seq)} ${clip(text, REASON[level] ?? 110)}`,
  }))
}

/** A better reason outweighs this many entries of age. */
const PER_SCORE = 150

/** Open points of the agent's last message: a question to the user, and remaining work. Nothing that the tail answers. */
function openPoints(turn: DigestTurn | undefined, tail: readonly Item[]): Snippet[] {
  // The work has continued since.
  if (
    turn?.closing === undefined ||
    tail.some(isUserMessage) ||
    tail.some(({ message }) => message.role === 'assistant')
  )
    return []
  const { seq, text } = turn.closing
  const sentences = sentencesOf(text).map(plain)
  const remaining = sentences.filter((sentence) => REMAINS.test(sentence) && sentence.length >= 20).slice(0, 4)
  const question = sentences.slice(-4).findLast((sentence) => /[?？]$/.test(sentence))
  const lines = [
    ...(question === undefined ? [] : [`- The agent asked (${handle(seq)}), and nobody has answered: ${question}`]),
    ...remaining.filter((sentence) => sentence !== question).map((sentence) => `- ${handle(seq)} ${sentence}`),
  ]
  return lines.map((line, i) => ({
    priority: lines.length - i,
    render: (level) => clip(line, 600 - 90 * level),
  }))
}

const REMAINS =
  /\b(?:next steps?|remaining|still (?:need|to do|open|missing|fails?)|to-?do|not yet|follow-?up|you (?:can|should|need to) now|left to)\b|接下来|下一步|次に/i

/** The characters of what was said at each level. */
const CHARACTERS = [600, 400, 240, 150, 90] as const
const SAID_LEVELS = CHARACTERS.length

const MOST = 16
const LEAST_CHARACTERS = 40

/**
 * The agent's messages in an unfinished turn, newest first, without the last one: no report has them yet.
 * Announcements are left out, and so are the sentences that are shown already.
 */
export function saidOnTheWay(
  turn: DigestTurn | undefined,
  shown: ReadonlySet<string>,
  isRefuted: ReturnType<typeof refutedBy>,
): Snippet[] {
  if (turn === undefined || turn.closing !== undefined) return []
  return turn.said
    .slice(0, -1)
    .map(({ seq, text }) => ({
      seq,
      text: informativePart(text, (sentence) => shown.has(sentence) || isRefuted({ seq, text: sentence })),
    }))
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

/** A message that says much and names something counts as this many entries newer: “still running” says little. */
function weightOf(text: string): number {
  return Math.min(text.length, 400) / 4 + (text.includes('`') ? 40 : 0)
}

const LOOKED_AT = 4_000

function informativePart(text: string, isLeftOut: (sentence: string) => boolean): string {
  const sentences = sentencesOf(text.slice(0, LOOKED_AT)).map(plain)
  return sentences.filter((sentence) => !isEmptyTalk(sentence) && !isLeftOut(sentence)).join(' ')
}

/** The state of an unfinished turn: the agent's last message, and its last steps if no results come after the record. Empty if the messages after the record finish it. */
export function underWay(turn: DigestTurn | undefined, items: readonly Item[], tail: readonly Item[]): Snippet[] {
  if (turn === undefined || turn.closing !== undefined || turn.calls === 0 || finishes(tail)) return []
  const said = turn.said.at(-1)
  const steps = tail.some(({ message }) => message.role === 'tool') ? [] : lastSteps(items, 4)
  const asked = turn.asked === '' ? '' : ` ${handle(turn.seq)}`
  const lines: ((level: number) => string)[] = [
    () => `${UNDER_WAY.work}${asked} is under way: ${turn.calls} tool ${turn.calls === 1 ? 'call' : 'calls'} so far.`,
    ...(said === undefined
      ? []
      : [(level: number) => `${UNDER_WAY.said} (${handle(said.seq)}): ${clip(said.text, 600 - 100 * level)}`]),
    ...steps.map((step) => (level: number) => (level === 0 ? step : clip(step, 260 - 40 * level))),
  ]
  return lines.map((render, i) => ({ render, priority: i }))
}

/** True if these messages begin with the rest of a turn, and the agent ends it. */
function finishes(tail: readonly Item[]): boolean {
  const [first] = turnsOf(tail)
  return first?.asked === '' && first.closing !== undefined
}

/** The last tool calls of some items with the beginning of what came back: to show how far the work got. */
export function lastSteps(items: readonly Item[], count: number): string[] {
  const outputs = new Map<string, string>()
  const steps: string[] = []
  for (let i = items.length - 1; i >= 0 && steps.length < count; i--) {
    const item = items[i]
    if (item === undefined || item.kind === 'summary') break
    for (const result of resultsOf(item.message)) outputs.set(result.toolCallId, outputText(result.output))
    for (const call of callsOf(item.message).toReversed()) {
      if (steps.length >= count) break
      const output = outputs.get(call.toolCallId)
      const came = output === undefined || output.trim() === '' ? '' : ` → ${oneLine(output, 120)}`
      steps.push(`- ${handle(item.seq)} ${oneLine(call.toolName, 80)}(${oneLine(jsonText(call.input), 140)})${came}`)
    }
  }
  return steps.length === 0 ? [] : ['The last steps:', ...steps.toReversed()]
}
