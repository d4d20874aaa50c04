import { count, counted } from './numbers.ts'
import { someOf } from './rewind-text.ts'

/** A change of a log, with the fields that a sentence about it needs. */
export type ChangeFacts =
  | { readonly type: 'edit' | 'undo'; readonly of: number }
  | { readonly type: 'redact'; readonly target: number }
  | { readonly type: 'pin'; readonly target: number; readonly on: boolean; readonly back?: readonly number[] }
  | { readonly type: 'repair'; readonly changes: number }
  | { readonly type: 'rewind'; readonly to: number; readonly files: readonly string[] }

/** A change of a log in one sentence. */
export function changeText(change: ChangeFacts): string {
  switch (change.type) {
    case 'edit':
      return `The summary of #${change.of} was changed.`
    case 'undo':
      return `#${change.of} was taken back.`
    case 'redact':
      return `#${change.target} is redacted: its text is gone for good.`
    case 'pin':
      if (change.back !== undefined) return `#${change.target} came back word for word, and stays.`
      return change.on ? `#${change.target} is pinned.` : `#${change.target} is no longer pinned.`
    case 'repair':
      return `Repaired the history: ${counted(change.changes, 'change')}.`
    case 'rewind':
      return `Files set back to before #${change.to}: ${someOf(change.files)}.`
  }
}

/** The effect of a change on the size of the context. */
export function contextSizesText(before: number, after: number): string {
  return `The context: ${count(before)} → ${count(after)} tokens.`
}

/** Says where an imported session comes from. */
export function originText({ agent, version }: { readonly agent: string; readonly version?: string }): string {
  return `Imported from ${agent}${version === undefined ? '' : ` ${version}`}`
}
