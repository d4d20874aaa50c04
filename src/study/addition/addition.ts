import { namesOf } from '../../engine/compact/verify/source-index.ts'
import { missingFacts } from '../../engine/compact/verify/verify.ts'
import { messageItem } from '../../engine/context/view/item-list.ts'
import { distinctPaths } from '../../engine/extract/current-files.ts'
import { indexDelta } from '../../engine/extract/index-delta.ts'
import { knownIndex } from '../../engine/extract/known-index.ts'
import type { Ledger } from '../../engine/extract/ledger/ledger-of.ts'
import { escaped, pathLine } from '../../engine/record/escape.ts'
import { rootFolder } from '../../engine/record/lines/file-lines.ts'
import { openFailures } from '../../engine/record/lines/state-lines.ts'
import { serialize } from '../../engine/record/serialize.ts'
import { counted } from '../../engine/report/numbers.ts'
import { mergeIndexes, todosById } from '../../model/facts/log-index.ts'
import { beginning, clip, handle, quotable } from '../../model/text.ts'
import type { Entry, EntryOf, Index, Seq } from '../../model/types.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'

/** A fact that the log has and a summary does not mention. */
type ForgottenFact = {
  readonly kind: 'constraint' | 'user' | 'file' | 'uncommitted' | 'todo' | 'error'
  /** A path, or the exact words. */
  readonly text: string
  /** The entry that has the whole text. */
  readonly seq: Seq
}

/** The facts that a summary leaves out; those of each kind are in the order of the log. */
function forgottenFacts({ shown, index }: CheckedSummary): ForgottenFact[] {
  const known = knownFacts(index)
  const texts = (kind: ForgottenFact['kind']) => known.filter((fact) => fact.kind === kind).map(({ text }) => text)
  const unmentioned = new Set(
    missingFacts(shown, namesOf(shown), {
      modifiedFiles: texts('file'),
      constraints: texts('constraint'),
      openTodos: texts('todo'),
      unresolvedErrors: texts('error'),
    }).map(({ kind, text }) => `${kind} ${text}`),
  )
  const shownText = quotable(shown)
  const saysUncommitted = UNCOMMITTED.test(shown)
  const demanded = new Set([...unmentioned].map(quotable))
  return known.filter(({ kind, text }) => {
    if (kind === 'user') return !shownText.includes(beginning(text)) && !demanded.has(quotable(`constraint ${text}`))
    if (kind === 'uncommitted') return !saysUncommitted
    return unmentioned.has(`${kind} ${text}`)
  })
}

/** Words by which a summary says that work is not committed. */
const UNCOMMITTED =
  /\b(?:uncommitted|unstaged|not (?:yet )?(?:been )?committed|(?:nothing|none) (?:is |was |has been )?committed|never committed|without committing)\b/i

function knownFacts(index: Index): ForgottenFact[] {
  const todos = [...todosById(index).values()].filter(({ status }) => status === 'pending' || status === 'in-progress')
  const todoSeq = index.todos.at(-1)?.seq ?? 0
  const { files: known, failures, ledger } = knownIndex(index)
  const files = known.current.filter(({ access }) => access === 'modified')
  return [
    ...index.constraints.map(({ text, seq }) => ({ kind: 'constraint' as const, text, seq })),
    ...distinctUsers(index).map(({ text, seq }) => ({ kind: 'user' as const, text, seq })),
    ...files.map(({ path, modified, seq }) => ({ kind: 'file' as const, text: path, seq: modified ?? seq })),
    ...uncommitted(ledger),
    ...todos.map(({ text }) => ({ kind: 'todo' as const, text, seq: todoSeq })),
    ...openFailures(failures).map(({ text, seq }) => ({ kind: 'error' as const, text, seq })),
  ]
}

/** A message that was sent again counts once, in its last form. The approval of a plan is not a message of the user. */
function distinctUsers({ users }: Index): Index['users'] {
  const written = users.filter(({ reply }) => reply !== 'approval')
  return [...new Map(written.map((user) => [beginning(user.text), user])).values()]
}

/** Uncommitted work, in a session that makes commits. In other sessions it means nothing. */
function uncommitted({ files, commits }: Ledger): ForgottenFact[] {
  if (commits.length === 0) return []
  return files
    .filter(({ standing }) => standing === 'uncommitted')
    .map(({ path, seq }) => ({ kind: 'uncommitted', text: path, seq }))
}

/** A summary that an agent wrote itself: everything that its model sees of the earlier messages, and the facts in the log. */
export type CheckedSummary = {
  /** The summary, and the messages that were kept after it. */
  readonly shown: string
  readonly index: Index
}

/** The newest summary of a log, with the facts of everything before it; undefined if nothing was compacted. */
export function lastSummary(entries: readonly Entry[]): CheckedSummary | undefined {
  const at = entries.findLastIndex(({ type }) => type === 'compaction')
  const compaction = entries[at]
  return compaction?.type === 'compaction' ? summaryOf(entries.slice(0, at), compaction) : undefined
}

/** A summary of all these entries. The model still sees the kept ones. */
export function summaryOf(
  before: readonly Entry[],
  { summary, keep }: Pick<EntryOf<'compaction'>, 'summary' | 'keep'>,
): CheckedSummary {
  const kept = new Set(keep)
  const items = before.flatMap((entry) => (entry.type === 'message' ? [messageItem(entry)] : []))
  const tail = items.filter(({ seq }) => kept.has(seq)).map(({ message }) => serialize(message, WHOLE))
  // A session that was handed over has facts from before its first message.
  const earlier = before.flatMap((entry) => (entry.type === 'compaction' ? [entry.indexDelta] : []))
  return { shown: [summary, ...tail].join('\n'), index: mergeIndexes([...earlier, indexDelta(items)]) }
}

const WHOLE = { cutCharacters: 0 }

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
  const root = rootFolder({ files: distinctPaths(files) }) ?? ''
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
