import type { Message } from '../model/types.ts'
import type { EvalSession, Round } from './play.ts'
import { wholeText } from './probes/invented.ts'
import { type Counted, shownLedger } from './probes/ledger.ts'
import { withoutNameLists } from './probes/name-lists.ts'
import { nextNames } from './probes/next-names.ts'
import { type Score, scoreOf } from './probes/score.ts'
import { messageShown, shownBy, squashed } from './probes/shown.ts'
import { CHECKED_PROVIDERS, providerRefusals } from './probes/validity.ts'
import { type WorkState, workAt } from './truth/events.ts'
import { askedFacts, type Fact } from './truth/facts.ts'
import { allNamesIn } from './truth/needed.ts'

/** All that is asked about a session at a cut: written down before any compactor has run. */
export type Paper = {
  readonly facts: readonly Fact[]
  readonly source: string
  readonly work: WorkState
  readonly next: readonly string[]
  readonly after: string
  /** The message that is sent after the context, if it is one of the user's. */
  readonly sent: readonly Message[]
}

export function paperOf({ messages, events }: EvalSession, at: number): Paper {
  const [before, after] = [messages.slice(0, at), messages.slice(at)]
  const source = wholeText(before)
  return {
    facts: askedFacts({ span: before.map((message, i) => ({ seq: i + 1, message })), after }),
    source,
    work: workAt(events, at),
    next: nextNames(after, source),
    after: wholeText(after),
    sent: after.slice(0, 1).filter(({ role }) => role === 'user'),
  }
}

/** The figures in addition to facts. Each is a part of a whole, so that the numbers of several sessions can be added up. */
export const COUNTS = [
  'rules',
  'stale rules',
  'decisions',
  'ledger',
  'next',
  'next without lists',
  'precision',
  'false',
  'outdated',
  'valid',
  'fits',
] as const
export type CountName = (typeof COUNTS)[number]

/** The numbers of one context. */
export type Measures = {
  readonly score: Score
  readonly scoreWithoutLists: Score
  readonly counts: Readonly<Record<CountName, Counted>>
  readonly examples: Examples
}

/** The faults of a context, so that its compactor can be improved. */
export type Examples = Readonly<Record<'rules' | 'false' | 'invented' | 'valid', readonly string[]>>

export function measureRound({ context, tokens, targetTokens }: Round, paper: Paper): Measures {
  const { facts, source, work, next, after } = paper
  const shown = shownBy(context)
  const text = context.map(messageShown).join('\n')
  const ledger = shownLedger(context, work, source)
  const names = new Set(allNamesIn(text))
  const withoutLists = withoutNameLists(text)
  const refused = providerRefusals([...context, ...paper.sent])
  const refusing = new Set(refused.map(({ provider }) => provider))
  const score = scoreOf({ facts, source }, context)
  const has = (words: string) => shown.flat.includes(squashed(words))
  const changed = work.rules.filter(({ replaced }) => replaced !== undefined)
  return {
    score,
    scoreWithoutLists: scoreOf({ facts, source }, context.map(textWithoutLists)),
    examples: {
      rules: work.rules.filter(({ text: rule }) => !has(rule)).map(({ text: rule }) => rule),
      false: ledger.examples,
      invented: score.invented,
      valid: refused.map(({ provider, why }) => `${provider}: ${why}`),
    },
    counts: {
      rules: counted(work.rules, ({ text: rule }) => has(rule)),
      'stale rules': counted(changed, ({ text: rule, replaced = '' }) => has(replaced) && !has(rule)),
      decisions: counted(work.decisions, ({ gaveUp, because }) =>
        shown.lines.some((line) => line.includes(gaveUp) && line.includes(because)),
      ),
      ledger: ledger.shown,
      next: counted(next, (name) => text.includes(name)),
      'next without lists': counted(next, (name) => withoutLists.includes(name)),
      precision: counted([...names], (name) => after.includes(name)),
      false: ledger.falseClaims,
      outdated: ledger.outdated,
      valid: counted(CHECKED_PROVIDERS, (provider) => !refusing.has(provider)),
      fits: { part: tokens <= targetTokens * SLACK ? 1 : 0, whole: 1 },
    },
  }
}

function textWithoutLists(message: Message): Message {
  if (typeof message.content === 'string') return { ...message, content: withoutNameLists(message.content) } as Message
  const parts = message.content.map((part) =>
    part.type === 'text' ? { ...part, text: withoutNameLists(part.text) } : part,
  )
  return { ...message, content: parts } as Message
}

/** Estimates differ by some percent. */
const SLACK = 1.1

function counted<T>(all: readonly T[], holds: (one: T) => boolean): Counted {
  return { part: all.filter(holds).length, whole: all.length }
}
