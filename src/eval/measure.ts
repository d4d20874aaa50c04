import type { Message } from '../model/types.ts'
import type { EvalSession, Round } from './play.ts'
import { inventedIn, wholeText } from './probes/invented.ts'
import { answersIn, type Kept } from './probes/kept.ts'
import { type Counted, knownCalls, type LedgerTruth, shownLedger } from './probes/ledger.ts'
import { type ListRemover, wholeTexts, withoutLists } from './probes/name-lists.ts'
import { shownBy, squashed } from './probes/shown.ts'
import { CHECKED_PROVIDERS, providerRefusals } from './probes/validity.ts'
import { workAt } from './truth/events.ts'
import { askedFacts, type Fact } from './truth/facts.ts'
import { allNamesIn, nextNames } from './truth/needed.ts'
import { personText } from './truth/prompts.ts'

/** All that is asked about a session at a cut: written down before any compactor has run. */
export type Paper = LedgerTruth & {
  readonly facts: readonly Fact[]
  /** Each message that a person typed, whole. */
  readonly said: readonly string[]
  readonly source: string
  readonly whole: ReadonlySet<string>
  readonly withoutNames: ListRemover
  readonly next: readonly string[]
  readonly after: string
  /** The message that is sent after the context, if it is one of the user's. */
  readonly sent: readonly Message[]
}

export function paperOf({ messages, events }: EvalSession, at: number, withoutNames: ListRemover): Paper {
  const [before, after] = [messages.slice(0, at), messages.slice(at)]
  const source = wholeText(before)
  return {
    facts: askedFacts({ span: before.map((message, i) => ({ seq: i + 1, message })), after }),
    said: [...new Set(before.map((message) => squashed(personText(message))))].filter((text) => text !== ''),
    source,
    whole: wholeTexts(before),
    withoutNames,
    flat: squashed(source),
    calls: knownCalls(before),
    events,
    work: workAt(events, at),
    next: nextNames(after, source),
    after: wholeText(after),
    sent: after.slice(0, 1).filter(({ role }) => role === 'user'),
  }
}

/** The numbers of one context. Each is a part of a whole, so that those of several sessions can be added up. */
export type Tallies = Readonly<Record<string, Counted>>

export type Measures = { readonly counts: Tallies; readonly examples: Examples }

/** The faults of a context, so that its compactor can be improved. */
export type Examples = Readonly<Record<'rules' | 'false' | 'invented' | 'valid', readonly string[]>>

/** A compaction that failed counts as if nothing were left: all that is there would reward the failure. */
export function measureRound({ context: left, tokens, targetTokens, failure }: Round, paper: Paper): Measures {
  const { facts, said, source, work, next, after } = paper
  const context = failure === undefined ? left : []
  const shown = shownBy(context)
  const ledger = shownLedger(context, paper)
  const reduced = withoutLists(context, paper.whole, (texts) => paper.withoutNames(texts, ledger.isStated))
  const refused = providerRefusals([...context, ...paper.sent])
  const refusing = new Set<string>(refused.map(({ provider }) => provider))
  const [text, reducedText] = [wholeText(context), wholeText(reduced)]
  const { named, invented } = inventedIn(context, source)
  const has = (words: string) => shown.flat.includes(squashed(words))
  const changed = work.rules.filter(({ replaced }) => replaced !== undefined)
  const kept = answersIn(shown, facts)
  return {
    examples: {
      rules: work.rules.filter(({ text: rule }) => !has(rule)).map(({ text: rule }) => rule),
      false: ledger.examples,
      invented,
      valid: refused.map(({ provider, why }) => `${provider}: ${why}`),
    },
    counts: {
      ...factCounts('fact', facts, kept),
      ...factCounts('reduced', facts, answersIn(shownBy(reduced), facts)),
      stale: counted(
        facts
          .map((fact, at) => ({ fact, is: kept[at] }))
          .filter(({ fact }) => fact.was !== undefined || fact.kind === 'to-do'),
        ({ is }) => is === 'stale',
      ),
      messages: counted(said, (words) => shown.flat.includes(words)),
      rules: counted(work.rules, ({ text: rule }) => has(rule)),
      'stale rules': counted(changed, ({ text: rule, replaced = '' }) => has(replaced) && !has(rule)),
      decisions: counted(work.decisions, ({ gaveUp, because }) =>
        shown.lines.some((line) => line.includes(gaveUp) && line.includes(because)),
      ),
      ledger: ledger.shown,
      wrong: ledger.wrong,
      next: counted(next, (name) => text.includes(name)),
      'next without lists': counted(next, (name) => reducedText.includes(name)),
      precision: counted([...new Set(allNamesIn(text))], (name) => after.includes(name)),
      false: ledger.falseClaims,
      outdated: ledger.outdated,
      invented: { part: invented.length, whole: named },
      ...Object.fromEntries(
        CHECKED_PROVIDERS.map((name) => [
          `valid: ${name}`,
          counted([name], () => failure === undefined && !refusing.has(name)),
        ]),
      ),
      fits: counted([tokens], () => failure === undefined && tokens <= targetTokens * SLACK),
      tokens: { part: tokens, whole: 1 },
    },
  }
}

/** Estimates differ by some percent. */
const SLACK = 1.1

/** The facts of each kind and quarter, and how many of them are kept. */
function factCounts(prefix: string, facts: readonly Fact[], answers: readonly Kept[]): Tallies {
  const groups = Map.groupBy(
    facts.map((fact, at) => ({ name: `${prefix}: ${fact.kind} ${fact.age}`, isKept: answers[at] === 'kept' })),
    ({ name }) => name,
  )
  return Object.fromEntries([...groups].map(([name, all]) => [name, counted(all, ({ isKept }) => isKept)]))
}

function counted<T>(all: readonly T[], holds: (one: T) => boolean): Counted {
  return { part: all.filter(holds).length, whole: all.length }
}
