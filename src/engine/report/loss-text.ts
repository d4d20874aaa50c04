import { handle } from '../../model/text.ts'
import type { Seq } from '../../model/types.ts'
import { count } from './numbers.ts'

/** Why a message that the model no longer reads may matter, or why it does not. */
export type LossReason =
  /** The user demanded something in it. */
  | { readonly kind: 'demand' }
  /** The user said it. The record may have the beginning of a long message. */
  | { readonly kind: 'user'; readonly missing: 'all' | 'rest'; readonly characters: number }
  /** Names in it that the agent or the user wrote later, when they appeared nowhere else. */
  | { readonly kind: 'used'; readonly names: readonly string[]; readonly by: Seq }
  /** The agent recalled it later by its handle. */
  | { readonly kind: 'recalled'; readonly by: Seq }
  /** It is the last look at a file that the agent read again later. */
  | { readonly kind: 'read-again'; readonly path: string; readonly by: Seq }
  /** It failed, and nothing shows that it was fixed. */
  | { readonly kind: 'failure' }
  /** It has the last change of a file. */
  | { readonly kind: 'change'; readonly path: string; readonly isCommitted: boolean }
  /** It is the last time that a file was read. */
  | { readonly kind: 'newest'; readonly path: string }
  /** A later entry has a newer version of the same file or the same command. */
  | { readonly kind: 'outdated'; readonly by: Seq }
  /** The agent's own words; the last ones of a turn are its answer. */
  | { readonly kind: 'answer'; readonly isLast: boolean }
  /** Names that the model no longer sees. */
  | { readonly kind: 'names'; readonly names: readonly string[]; readonly count: number }

/** Why a lost message may matter, or why not, in one sentence. */
export function lossText(reason: LossReason): string {
  switch (reason.kind) {
    case 'demand':
      return 'The user demanded something here that the record does not say.'
    case 'user':
      return reason.missing === 'all'
        ? 'The user said this, and the record does not quote it.'
        : 'The user said this, and the record quotes only its beginning.'
    case 'used':
      return `${namesText(reason.names, reason.names.length)}: used later, from ${handle(reason.by)} on.`
    case 'recalled':
      return `The agent recalled it in ${handle(reason.by)}.`
    case 'read-again':
      return `The agent read ${reason.path} again in ${handle(reason.by)}.`
    case 'failure':
      return 'It failed, and nothing shows that it was fixed.'
    case 'change':
      return `The last change of ${reason.path}${reason.isCommitted ? '' : ', not committed'}.`
    case 'newest':
      return `The last time that the agent read ${reason.path}.`
    case 'outdated':
      return `Outdated: ${handle(reason.by)} has a newer version.`
    case 'answer':
      return reason.isLast ? 'The answer of the agent at the end of a turn.' : 'The agent said this while it worked.'
    case 'names':
      return `${namesText(reason.names, reason.count)}: named nowhere else now.`
  }
}

const NAMED = 4

function namesText(names: readonly string[], all: number): string {
  const shown = names.slice(0, NAMED)
  const rest = all - shown.length
  return rest === 0 ? shown.join(', ') : `${shown.join(', ')} and ${count(rest)} more`
}
