import type { Origin } from '../../model/types.ts'
import type { Status } from '../../tokens/status.ts'
import { count, percentText } from './numbers.ts'

/** The source of the number in a status, in one line. */
export function sourceText({ source, doubted, countedFor }: Pick<Status, 'source' | 'doubted' | 'countedFor'>): string {
  if (source === 'provider') return 'counted by the provider; the shares are estimated'
  if (countedFor !== undefined) return `estimated: the provider’s last count is for ${countedFor}`
  if (doubted === undefined) return 'estimated: no reply has counted it yet'
  return `estimated: the provider reported ${count(doubted)} tokens, which cannot be right`
}

/** The notice that a report of the provider is not believed; undefined if it is. */
export function doubtText({ doubted, tokens }: Pick<Status, 'tokens' | 'doubted'>): string | undefined {
  if (doubted === undefined) return undefined
  return `The provider reported ${count(doubted)} tokens for a context of about ${count(tokens)}: the estimate counts instead`
}

/** The size of a window for people. One that is not known for certain says so. */
export function windowText({ window, assumed }: Pick<Status, 'window' | 'assumed'>): string {
  return `${count(window ?? 0)} tokens${assumed === true ? ' (assumed)' : ''}`
}

/** How full the context is, in a few words. */
export function fullText(status: Status): string {
  const { tokens, window } = status
  return window === undefined
    ? `${count(tokens)} tokens; the window is not known`
    : `${percentText(status)} full: ${count(tokens)} of ${windowText(status)}`
}

/**
 * Why we assume another window than the model's: the agent compacted by itself far below it, sent more than it has, or has a
 * default of its own.
 */
export type WindowGuess = Readonly<NonNullable<Origin['guess']>>

/** The notice that a window is a guess, and the reason. */
export function windowGuessText({ from, tokens }: WindowGuess, agent: string): string {
  const reasons = {
    compaction: `${agent} compacted by itself at ${count(tokens)} tokens`,
    usage: `${agent} sent ${count(tokens)} tokens`,
    default: `the default of ${agent}, and no request had more than ${count(tokens)} tokens`,
  }
  return `the window is a guess: ${reasons[from]}`
}

/** The notice that nothing is compacted in time, and what to do. */
export function windowUnknown(model: string): string {
  const name = model === '' ? 'this model' : model
  return `the context window of ${name} is not known, so nothing is compacted before it is full: set the option window`
}

/** The notice for a compaction that could not be measured. */
export const WINDOW_MISSING =
  'the context window is not known, so Pith cannot check whether these messages fit: set the option window'
