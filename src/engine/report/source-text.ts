import type { Status } from '../../tokens/status.ts'
import { count } from './numbers.ts'

/** The source of the number in a status, in one line. */
export function sourceText({ source, doubted }: Pick<Status, 'source' | 'doubted'>): string {
  if (source === 'provider') return 'counted by the provider; the shares are estimated'
  if (doubted === undefined) return 'estimated: no reply has counted it yet'
  return `estimated: the provider reported ${count(doubted)} tokens, which cannot be right`
}

/** The notice that a report of the provider is not believed; undefined if it is. */
export function doubtText({ doubted, tokens }: Pick<Status, 'tokens' | 'doubted'>): string | undefined {
  if (doubted === undefined) return undefined
  return `The provider reported ${count(doubted)} tokens for a context of about ${count(tokens)}: the estimate counts instead`
}
