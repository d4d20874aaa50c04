import type { Index } from '../model/log-index.ts'
import { todosOf } from '../model/log-index.ts'
import type { Item } from '../model/view.ts'
import type { Estimator } from '../tokens/estimate.ts'
import { tellsFinding } from './digest/cues.ts'
import { lastSteps } from './digest/last-steps.ts'
import { type Section, sectionsOf, sectionsText } from './digest/sections.ts'
import { sentencesOf } from './digest/sentences.ts'
import { shareOut } from './digest/share-out.ts'
import { type Turn, turnsOf } from './digest/turns-of.ts'
import { openErrors } from './error-state.ts'
import { handle } from './rewrite-message.ts'
import { headOf } from './shorten.ts'

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
  Decisions: 30,
  Done: 28,
  'Tried and failed': 8,
  Earlier: 14,
} as const
type Title = keyof typeof SHARES
const ORDER: readonly Title[] = ['Goal', 'Earlier', 'Decisions', 'Done', 'Tried and failed', 'In progress', 'Next']

/**
 * A summary made without a model, in the sections of the default prompt, from what was said and done: the same input
 * gives the same text to the byte. Files, commands, to-dos and the user's words are in the index that stands under it.
 */
export function digest(input: DigestInput): string {
  const summary = input.items[0]?.kind === 'summary' ? input.items[0].text : ''
  const fresh = freshSections(input)
  const old = sectionsOf(summary)
  const lines = Object.fromEntries(
    ORDER.map((title) => [title, [...broughtForward(old, title), ...fresh[title]]]),
  ) as Record<Title, string[]>
  // The goal is the first one; what was in progress then is over now.
  if (lines.Goal.length > fresh.Goal.length) lines.Goal = lines.Goal.slice(0, lines.Goal.length - fresh.Goal.length)
  return sectionsText(fitted(lines, input))
}

/** From an earlier summary: its sections go into ours of the same name, others are told as what came earlier. */
function broughtForward(old: readonly Section[], title: Title): string[] {
  if (title === 'In progress' || title === 'Next') return []
  const named = (section: Section) => (section.title in SHARES ? (section.title as Title) : undefined)
  return old
    .filter((section) => (named(section) ?? (OVER.has(section.title) ? undefined : 'Earlier')) === title)
    .flatMap((section) =>
      named(section) === undefined && section.title !== '' ? [`${section.title}:`, ...section.lines] : section.lines,
    )
    .filter((line) => line.trim() !== '' && !/^\(\d+ older lines/.test(line))
}

/** Sections whose content comes from the index again, or is over. */
const OVER: ReadonlySet<string> = new Set(['Constraints', 'In progress', 'Next'])

function freshSections({ items, index }: DigestInput): Record<Title, string[]> {
  const turns = turnsOf(items)
  const last = turns.at(-1)
  return {
    Goal: goalOf(turns),
    Earlier: [],
    Decisions: turns.flatMap(findingsOf),
    Done: turns.flatMap(doneIn),
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
function findingsOf(turn: Turn): string[] {
  const texts = turn.said.filter((said) => said !== turn.closing)
  return texts.flatMap(({ seq, text }) =>
    sentencesOf(text)
      .filter(tellsFinding)
      .slice(0, 4)
      .map((sentence) => `- ${handle(seq)} ${oneLine(sentence, 240)}`),
  )
}

function doneIn(turn: Turn): string[] {
  if (turn.closing === undefined) return []
  const asked = turn.asked.trim() === '' ? '' : `asked “${oneLine(turn.asked, 90)}”: `
  return [`- ${handle(turn.closing.seq)} ${asked}${condensed(turn.closing.text)}`]
}

/** The beginning of a closing text and the sentences in it that tell a result, without its headings and tables. */
function condensed(text: string): string {
  const sentences = sentencesOf(text)
  const telling = sentences.slice(1).filter(tellsFinding)
  return oneLine([sentences[0] ?? '', ...telling].join(' '), 600)
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
  const todos = open.map((todo) => `- ${todo.text}${todo.status === 'in-progress' ? ' (in progress)' : ''}`)
  if (last === undefined || last.closing !== undefined || last.asked.trim() === '') return todos
  return [`Answer the user's request ${handle(last.seq)}: it is not finished.`, ...todos]
}

/** Sections within the room: the newest lines of each stay, and a line says how many are left out. */
function fitted(lines: Record<Title, string[]>, { tokens, estimator }: DigestInput): Section[] {
  const titles = Object.keys(SHARES) as Title[]
  const cost = (line: string) => estimator.text(line) + 1
  const costs = titles.map((title) =>
    lines[title].reduce((sum, line) => sum + cost(line), lines[title].length === 0 ? 0 : 8),
  )
  const rooms = shareOut(
    titles.map((title, i) => ({ cost: costs[i] ?? 0, share: SHARES[title] })),
    tokens,
  )
  const kept = new Map(titles.map((title, i) => [title, newest(lines[title], (rooms[i] ?? 0) - 8, cost)]))
  return ORDER.map((title) => ({ title, lines: kept.get(title) ?? [] }))
}

function newest(lines: readonly string[], room: number, cost: (line: string) => number): string[] {
  let left = room
  let from = lines.length
  while (from > 0 && cost(lines[from - 1] ?? '') <= left) left -= cost(lines[--from] ?? '')
  const dropped = from
  if (dropped === 0) return [...lines]
  const kept = lines.slice(from)
  const note = `(${dropped} older lines left out: search the log with recall)`
  return kept.length === 0 && room < cost(note) ? [] : [note, ...kept]
}

function oneLine(text: string, characters: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.length <= characters ? line : `${headOf(line, characters).trimEnd()}…`
}
