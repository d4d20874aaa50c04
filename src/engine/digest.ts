import type { Index } from '../model/log-index.ts'
import { todosOf } from '../model/log-index.ts'
import type { Item } from '../model/view.ts'
import type { Estimator } from '../tokens/estimate.ts'
import { tellsConclusion, tellsFinding } from './digest/cues.ts'
import { lastSteps } from './digest/last-steps.ts'
import { type Section, sectionsOf, sectionsText } from './digest/sections.ts'
import { sentencesOf } from './digest/sentences.ts'
import { shareOut } from './digest/share-out.ts'
import { type Turn, turnsOf } from './digest/turns-of.ts'
import { openErrors } from './error-state.ts'
import { oneLine } from './one-line.ts'
import { handle } from './rewrite-message.ts'

export type DigestInput = {
  /** What is summarised; an earlier summary at its front is brought forward. */
  readonly items: readonly Item[]
  /** All facts up to the end of the items, those of earlier spans included. */
  readonly index: Index
  readonly tokens: number
  readonly estimator: Estimator
}

/** Share of the room that each section gets in any case; what one does not need goes to the others in this order. */
const SHARES = {
  Goal: 6,
  'In progress': 16,
  Next: 10,
  Done: 32,
  Decisions: 28,
  'Tried and failed': 8,
  Earlier: 14,
} as const
type Title = keyof typeof SHARES
const ORDER: readonly Title[] = ['Goal', 'Earlier', 'Decisions', 'Done', 'Tried and failed', 'In progress', 'Next']

/** How much is told of each turn, in characters and sentences: the first level that fits is taken. */
type Detail = { readonly closing: number; readonly findings: number; readonly sentence: number; readonly asked: number }
const DETAILS: readonly Detail[] = [
  { closing: 2_000, findings: 8, sentence: 400, asked: 200 },
  { closing: 1_000, findings: 4, sentence: 300, asked: 140 },
  { closing: 600, findings: 3, sentence: 240, asked: 100 },
  { closing: 360, findings: 2, sentence: 200, asked: 80 },
  { closing: 200, findings: 1, sentence: 160, asked: 60 },
]

/**
 * A summary made without a model, in the sections of the default prompt, from what was said and done: the same input
 * gives the same text to the byte. Files, commands, to-dos and the user's words are in the index that stands under it.
 */
export function digest(input: DigestInput): string {
  const summary = input.items[0]?.kind === 'summary' ? input.items[0].text : ''
  const old = sectionsOf(summary)
  const turns = turnsOf(input.items)
  const levels = DETAILS.map((detail) => linesOf(input, turns, old, detail))
  const fits = levels.find((lines) => costOf(lines, input.estimator) <= input.tokens)
  return sectionsText(fitted(fits ?? levels.at(-1) ?? EMPTY, input))
}

type Lines = Readonly<Record<Title, readonly string[]>>

const EMPTY: Lines = {
  Goal: [],
  'In progress': [],
  Next: [],
  Done: [],
  Decisions: [],
  'Tried and failed': [],
  Earlier: [],
}

function linesOf(input: DigestInput, turns: readonly Turn[], old: readonly Section[], detail: Detail): Lines {
  const fresh = freshSections(input, turns, detail)
  const all = ORDER.map((title) => [title, [...broughtForward(old, title), ...fresh[title]]] as const)
  const goal = broughtForward(old, 'Goal')
  // The goal is the first one that was set.
  return { ...EMPTY, ...Object.fromEntries(all), Goal: goal.length > 0 ? goal : fresh.Goal }
}

/** From an earlier summary: its sections go into ours of the same name, others are told as what came earlier. */
function broughtForward(old: readonly Section[], title: Title): string[] {
  if (title === 'In progress' || title === 'Next') return []
  const named = (section: Section) => (section.title in SHARES ? (section.title as Title) : undefined)
  return (
    old
      .filter((section) => (named(section) ?? (OVER.has(section.title) ? undefined : 'Earlier')) === title)
      .flatMap((section) =>
        named(section) === undefined && section.title !== '' ? [`${section.title}:`, ...section.lines] : section.lines,
      )
      .filter((line) => line.trim() !== '')
      // Errors are told from the index again, those that were resolved since left out.
      .filter((line) => title !== 'Tried and failed' || !/^- #\d+ /.test(line))
  )
}

/** Sections whose content comes from the index again, or is over. */
const OVER: ReadonlySet<string> = new Set(['Constraints', 'In progress', 'Next'])

function freshSections({ items, index }: DigestInput, turns: readonly Turn[], detail: Detail): Lines {
  const last = turns.at(-1)
  return {
    Goal: goalOf(turns),
    Earlier: [],
    Decisions: turns.flatMap((turn) => findingsOf(turn, detail)),
    Done: turns.flatMap((turn) => doneIn(turn, detail)),
    'Tried and failed': openErrors(index).map(
      (error) =>
        `- ${handle(error.seq)} ${error.command === undefined ? '' : `\`${oneLine(error.command, 80)}\`: `}${oneLine(error.text, 200)}`,
    ),
    'In progress': last === undefined || last.closing !== undefined ? [] : inProgress(last, items),
    Next: nextOf(last, index),
  }
}

function goalOf(turns: readonly Turn[]): string[] {
  const first = turns.find((turn) => turn.asked.trim() !== '')
  return first === undefined ? [] : [`${oneLine(first.asked, 300)} (${handle(first.seq)}, quoted in full below)`]
}

/** What the agent found out or decided on its way, in its own sentences; its last word is told under what is done. */
function findingsOf(turn: Turn, detail: Detail): string[] {
  const told = turn.said.filter((said) => said !== turn.closing).map((said) => ({ ...said, most: detail.findings }))
  // What it thought is wordier than what it said: only what it came to.
  const thought = turn.thought.map((one) => ({ ...one, most: Math.ceil(detail.findings / 4) }))
  const lines = [...told, ...thought].flatMap(({ seq, text, most }) =>
    sentencesOf(text)
      .filter(most === detail.findings ? tellsFinding : tellsConclusion)
      .slice(0, most)
      .map((sentence) => ({ seq, line: `- ${handle(seq)} ${oneLine(sentence, detail.sentence)}` })),
  )
  return [...new Set(lines.toSorted((a, b) => a.seq - b.seq).map(({ line }) => line))]
}

function doneIn(turn: Turn, detail: Detail): string[] {
  if (turn.closing === undefined) return []
  const asked = turn.asked.trim() === '' ? '' : `asked “${oneLine(turn.asked, detail.asked)}”: `
  return [`- ${handle(turn.closing.seq)} ${asked}${condensed(turn.closing.text, detail.closing)}`]
}

/** A closing text whole if it is short enough, else its beginning and the sentences in it that tell a result. */
function condensed(text: string, characters: number): string {
  const sentences = sentencesOf(text)
  // Nothing in it reads like a sentence, but it is the last word of a turn.
  if (sentences.length === 0) return oneLine(text, characters)
  const whole = sentences.join(' ').replace(/\s+/g, ' ').trim()
  if (whole.length <= characters) return whole
  const telling = sentences.slice(1).filter(tellsFinding)
  return oneLine([sentences[0] ?? '', ...telling].join(' '), characters)
}

function inProgress(turn: Turn, items: readonly Item[]): string[] {
  const last = turn.said.at(-1)
  return [
    ...(turn.asked.trim() === ''
      ? []
      : [`Working on ${handle(turn.seq)}: “${oneLine(turn.asked, 200)}” (${turn.calls} tool calls so far).`]),
    ...(last === undefined ? [] : [`Said last (${handle(last.seq)}): ${oneLine(last.text, 400)}`]),
    ...lastSteps(items, 4),
  ]
}

function nextOf(last: Turn | undefined, index: Index): string[] {
  const open = todosOf(index).filter((todo) => todo.status === 'pending' || todo.status === 'in-progress')
  const todos = open.map(
    (todo) => `- ${oneLine(todo.text, 300)}${todo.status === 'in-progress' ? ' (in progress)' : ''}`,
  )
  if (last === undefined || last.closing !== undefined || last.asked.trim() === '') return todos
  return [`Answer the user's request ${handle(last.seq)}: it is not finished.`, ...todos]
}

const HEADING_TOKENS = 8

function costOf(lines: Lines, estimator: Estimator): number {
  return ORDER.reduce((sum, title) => sum + sectionCost(lines[title], estimator), 0)
}

function sectionCost(lines: readonly string[], estimator: Estimator): number {
  return lines.length === 0 ? 0 : lines.reduce((sum, line) => sum + estimator.text(line) + 1, HEADING_TOKENS)
}

/** Sections within the room: the newest lines of each stay, and a line says how many are left out. */
function fitted(lines: Lines, { tokens, estimator }: DigestInput): Section[] {
  const titles = Object.keys(SHARES) as Title[]
  const claims = titles.map((title) => ({ cost: sectionCost(lines[title], estimator), share: SHARES[title] }))
  const rooms = new Map(shareOut(claims, tokens).map((room, i) => [titles[i], room - HEADING_TOKENS]))
  const cost = (line: string) => estimator.text(line) + 1
  return ORDER.map((title) => ({ title, lines: newest(lines[title], rooms.get(title) ?? 0, cost) }))
}

/** The newest lines that fit, and how many older ones there were in all, in this digest and those before it. */
function newest(lines: readonly string[], room: number, cost: (line: string) => number): string[] {
  const before = lines.reduce((sum, line) => sum + leftOut(line), 0)
  const told = lines.filter((line) => leftOut(line) === 0)
  let left = room
  let from = told.length
  while (from > 0 && cost(told[from - 1] ?? '') <= left) left -= cost(told[--from] ?? '')
  if (from + before === 0) return told
  const kept = told.slice(from)
  const note = `(${from + before} older lines left out: search the log with recall)`
  return kept.length === 0 && room < cost(note) ? [] : [note, ...kept]
}

function leftOut(line: string): number {
  return Number(/^\((\d+) older lines left out/.exec(line)?.[1] ?? 0)
}
