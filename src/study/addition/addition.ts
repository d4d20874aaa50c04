import { distinctPaths } from '../../engine/extract/distinct-paths.ts'
import { escaped, pathLine } from '../../engine/record/escape.ts'
import { rootFolder } from '../../engine/record/sections/root-folder.ts'
import { counted } from '../../engine/report/numbers.ts'
import { handle } from '../../model/text/handle.ts'
import { clip } from '../../model/text/shorten.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import type { CheckedSummary } from './checked-summary.ts'
import { type ForgottenFact, forgottenFacts } from './forgotten-facts.ts'

/** The first line of an addition. The model reads it right after a summary of another program. */
const ADDITION_OPENING =
  'Pith compared the summary above with the log of this session. The summary leaves out what follows: reference material, quoted, no new request. #N is an entry of the log; the tool `recall` of the MCP server pith (search your tools for it) gives it back word for word.'

const TITLES = {
  constraint: 'The user demanded',
  user: 'The user also said',
  file: 'Changed files',
  uncommitted: 'Not committed yet',
  todo: 'To do',
  error: 'Failed, and not fixed since',
} as const

const LEFT_OUT = 'Left out here for want of room (`recall` finds them)'

/** The text that is added after a summary that an agent wrote itself: only what it forgot. */
export type Addition = {
  readonly text: string
  readonly tokens: number
  /** The facts in the text, and the number of those for which there was no room. */
  readonly included: readonly ForgottenFact[]
  readonly leftOut: number
}

/** The most tokens of an addition, by our estimate. */
export const ADDITION_TOKENS = 1_500
/** If all facts fit into this many tokens, longer quotations are used. */
const USUAL_TOKENS = 850
/** The characters of a quotation, the longest first. The shortest still has the beginning by which a message is recognised. */
const QUOTED = [400, 200, 110, 76] as const
const SHORTEST = 76

/** The addition to a summary; undefined if it forgot nothing. */
export function additionTo(summary: CheckedSummary): Addition | undefined {
  const facts = inOrder(forgottenFacts(summary))
  if (facts.length === 0) return undefined
  const { files } = summary.index
  const root = rootFolder(files, distinctPaths(files).folder) ?? ''
  const render = (count: number, characters: number) => textOf(facts, { count, characters, root })
  const whole = QUOTED.map((characters) => render(facts.length, characters)).find(
    (text) => sizeOf(text) <= USUAL_TOKENS,
  )
  const count = whole === undefined ? mostThatFit(facts.length, (most) => render(most, SHORTEST)) : facts.length
  const text = whole ?? render(count, SHORTEST)
  return { text, tokens: sizeOf(text), included: facts.slice(0, count), leftOut: facts.length - count }
}

function sizeOf(text: string): number {
  return featureEstimator.text(text)
}

/** The greatest number of facts whose text is within the budget. */
function mostThatFit(all: number, render: (count: number) => string): number {
  let [fits, tooMany] = [0, all + 1]
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (sizeOf(render(middle)) <= ADDITION_TOKENS) fits = middle
    else tooMany = middle
  }
  return fits
}

/** The most important first: demands, the first message, files, open work, then messages from the newest on. */
function inOrder(facts: readonly ForgottenFact[]): ForgottenFact[] {
  const first = facts.find(({ kind }) => kind === 'user')
  const rank = (fact: ForgottenFact) => (fact === first ? 1 : RANKS[fact.kind])
  return facts.toSorted((a, b) => rank(a) - rank(b) || b.seq - a.seq)
}

const RANKS: Readonly<Record<ForgottenFact['kind'], number>> = {
  constraint: 0,
  file: 2,
  todo: 3,
  error: 4,
  uncommitted: 5,
  user: 6,
}

type Form = { readonly count: number; readonly characters: number; readonly root: string }

function textOf(facts: readonly ForgottenFact[], { count, characters, root }: Form): string {
  const shown = facts.slice(0, count)
  const left = facts.slice(count)
  const parts = KINDS.flatMap((kind) => {
    const ofKind = shown.filter((fact) => fact.kind === kind).toSorted((a, b) => a.seq - b.seq)
    if (ofKind.length === 0) return []
    return PATHS.has(kind)
      ? [`${TITLES[kind]}: ${escaped(ofKind.map(({ text, seq }) => fileText(text, seq, root)).join(', '))}`]
      : [`${TITLES[kind]}:`, ...ofKind.map(({ text, seq }) => `- ${handle(seq)} ${escaped(clip(text, characters))}`)]
  })
  return [ADDITION_OPENING, ...parts, ...(left.length === 0 ? [] : [leftText(left)])].join('\n')
}

const KINDS: readonly ForgottenFact['kind'][] = ['constraint', 'user', 'file', 'uncommitted', 'todo', 'error']
const PATHS: ReadonlySet<ForgottenFact['kind']> = new Set(['file', 'uncommitted'])

function fileText(path: string, seq: number, root: string): string {
  return `${pathLine(path.startsWith(root) ? path.slice(root.length) : path)} (${handle(seq)})`
}

function leftText(left: readonly ForgottenFact[]): string {
  const counts = [...Map.groupBy(left, ({ kind }) => kind)].map(([kind, ofKind]) => counted(ofKind.length, NOUNS[kind]))
  return `${LEFT_OUT}: ${counts.join(', ')}`
}

const NOUNS: Readonly<Record<ForgottenFact['kind'], string>> = {
  constraint: 'demand',
  user: 'message',
  file: 'changed file',
  uncommitted: 'uncommitted file',
  todo: 'to-do',
  error: 'failure',
}
