import type { Message } from '../model/types.ts'
import type { EvalSession, EvalSettings, Round } from './play.ts'
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
  readonly counts: Readonly<Record<CountName, Counted>>
  readonly falseLines: readonly string[]
}

export function measureRound({ context, tokens }: Round, paper: Paper, { targetTokens }: EvalSettings): Measures {
  const { facts, source, work, next, after } = paper
  const shown = shownBy(context)
  const text = context.map(messageShown).join('\n')
  const ledger = shownLedger(context, work, source)
  const names = new Set(allNamesIn(text))
  const withoutLists = withoutNameLists(text)
  const refusing = new Set(providerRefusals([...context, ...paper.sent]).map(({ provider }) => provider))
  const has = (words: string) => shown.flat.includes(squashed(words))
  const changed = work.rules.filter(({ replaced }) => replaced !== undefined)
  return {
    score: scoreOf({ facts, source }, context),
    falseLines: ledger.examples,
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

/** Estimates differ by some percent. */
const SLACK = 1.1

function counted<T>(all: readonly T[], holds: (one: T) => boolean): Counted {
  return { part: all.filter(holds).length, whole: all.length }
}
