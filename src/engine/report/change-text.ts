import type { Rung } from '../../model/policy/policy.ts'
import { FILES_SET_BACK, handle } from '../../model/text.ts'
import { count, counted } from './numbers.ts'

/** A change of a log, with the fields that a sentence about it needs. */
export type ChangeFacts =
  | { readonly type: 'edit' | 'undo'; readonly of: number }
  | { readonly type: 'redact'; readonly target: number }
  | { readonly type: 'pin'; readonly target: number; readonly on: boolean; readonly back?: readonly number[] }
  | { readonly type: 'repair'; readonly changes: number }
  | LeaveOutFacts
  | {
      readonly type: 'put-back'
      readonly leaveOuts: readonly number[]
      readonly requestedBy?: 'model'
      readonly tokensBefore: number
      readonly tokensAfter: number
    }
  | { readonly type: 'compact-request'; readonly focus?: string | undefined }
  | { readonly type: 'rewind'; readonly to: number; readonly files: readonly string[] }

/** A leave-out, with the fields that a sentence about it needs. */
export type LeaveOutFacts = {
  readonly type: 'leave-out'
  readonly targets: readonly { readonly from: number; readonly upTo: number; readonly calls?: readonly string[] }[]
  readonly requestedBy: 'user' | 'model'
  readonly what?: { readonly tool?: string; readonly file?: string }
  readonly waits?: true
  readonly tokensBefore: number
  readonly tokensAfter: number
}

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
    case 'leave-out':
      if (change.waits === true)
        return `${leftOutName(change)} will be left out when the cache is cold or a compaction is due.`
      return `${leftOutName(change)} left out by the ${change.requestedBy}. ${contextSizesText(change.tokensBefore, change.tokensAfter)}`
    case 'put-back':
      return `${change.requestedBy === 'model' ? 'The model put' : 'Put'} back what ${change.leaveOuts.map(handle).join(', ')} left out. ${contextSizesText(change.tokensBefore, change.tokensAfter)}`
    case 'compact-request':
      return `The model asked for a compaction at the next end of work${change.focus === undefined ? '' : `, with this focus: ${change.focus}`}. An undo takes that back.`
    case 'repair':
      return `Repaired the history: ${counted(change.changes, 'change')}.`
    case 'rewind':
      return `Files set back to before #${change.to}: ${someOf(change.files)}.`
  }
}

/** The parts that a leave-out names: `#40–#71`, or the results of a tool or about a file. */
export function leftOutName({ targets, what }: Pick<LeaveOutFacts, 'targets' | 'what'>): string {
  const calls = targets.flatMap((target) => target.calls ?? [])
  if (what?.tool !== undefined) return `${counted(calls.length, 'result')} of ${what.tool}`
  if (what?.file !== undefined) return `${counted(calls.length, 'result')} about ${what.file}`
  if (calls.length > 0) return counted(calls.length, 'result')
  return someOf(targets.map(({ from, upTo }) => (from === upTo ? handle(from) : `${handle(from)}–${handle(upTo)}`)))
}

/** The effect of a change on the size of the context. */
export function contextSizesText(before: number, after: number): string {
  return `The context: ${count(before)} → ${count(after)} tokens.`
}

/** Says where an imported session comes from. */
export function originText({ agent, version }: { readonly agent: string; readonly version?: string }): string {
  return `Imported from ${agent}${version === undefined ? '' : ` ${version}`}`
}

/** A change of the view that can be undone, with the fields that a sentence about it needs. */
export type UndoableChange =
  | { readonly type: 'reduction'; readonly rung: Rung; readonly messagesRemoved: number }
  | { readonly type: 'squeeze'; readonly targets: readonly number[] }
  | { readonly type: 'edit'; readonly of: number }
  | { readonly type: 'put-back'; readonly target: number }
  | { readonly type: 'compact-request' }
  | ({ readonly type: 'leave-out' } & Pick<LeaveOutFacts, 'targets' | 'what'>)

/** The result of an undo. `change` is undefined if it is not available. */
export function undoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return `Undone: the context is as it was before ${handle(seq)}. /redo takes this back.`
  return `Undone: ${nameOf(change)} (${handle(seq)}). /redo takes this back.`
}

/** The result of a redo. */
export function redoText(seq: number, change: UndoableChange | undefined): string {
  if (change === undefined) return 'Redone: the last undo is taken back.'
  return `Redone: ${nameOf(change)} (${handle(seq)}).`
}

/** Why a compaction cannot be undone now; undefined if it can. */
export function notUndoableText(
  seq: number,
  { isUndone, newest }: { readonly isUndone: boolean; readonly newest: number | undefined },
): string | undefined {
  if (isUndone) return 'It is undone: the messages that it replaced are in the context again'
  if (newest === seq) return undefined
  return newest === undefined
    ? 'There is nothing to undo'
    : `Undo takes back the newest change first: ${handle(newest)}`
}

function nameOf(change: UndoableChange): string {
  switch (change.type) {
    case 'reduction':
      return change.rung === 'mask'
        ? 'the masking of old tool output'
        : `the compaction of ${counted(change.messagesRemoved, 'message')}`
    case 'squeeze':
      return `the shortening of ${change.targets.map(handle).join(', ')}`
    case 'edit':
      return `the new text of the summary ${handle(change.of)}`
    case 'put-back':
      return `putting back ${handle(change.target)}`
    case 'compact-request':
      return 'the compaction that the model asked for'
    case 'leave-out':
      return `leaving out ${leftOutName(change)}`
  }
}

/** Files that were restored, and those that were not. */
type RewoundFiles = {
  readonly done: readonly { readonly path: string; readonly change: 'restore' | 'create' | 'delete' }[]
  readonly left: readonly { readonly path: string; readonly why: string }[]
}

const LISTED = 5

/** The result of a rewind of files, for the user. The entry of the rewind names the files. */
export function rewoundText({ done, left }: RewoundFiles): string {
  const deleted = done.filter(({ change }) => change === 'delete').length
  const changes = [
    ...(done.length === deleted ? [] : [`${counted(done.length - deleted, 'file')} set back`]),
    ...(deleted === 0 ? [] : [`${counted(deleted, 'new file')} deleted`]),
  ]
  const first = changes.length === 0 ? 'No file was changed.' : `${changes.join(', ')}. /undo takes this back.`
  return left.length === 0 ? first : `${first} Left as they are: ${leftText(left)}`
}

/** The result of undoing a rewind, for the user. */
export function takenBackText(left: RewoundFiles['left']): string {
  if (left.length === 0) return 'The rewind is taken back.'
  return `The rewind is not wholly taken back. Left as they are: ${leftText(left)}`
}

/** Files that cannot be restored, and why. */
export function leftText(left: RewoundFiles['left']): string {
  return someOf(left.map(({ path, why }) => `${path} (${why})`))
}

/** A few of many names, and how many more there are. */
export function someOf(names: readonly string[]): string {
  const rest = names.length - LISTED
  return rest <= 0 ? names.join(', ') : `${names.slice(0, LISTED).join(', ')} and ${rest} more`
}

/** The kept files that a redaction deleted, for the user; empty if it deleted nothing. */
export function forgottenText({ contents, inTasks }: { readonly contents: number; readonly inTasks: number }): string {
  const ofTasks =
    inTasks === 0 ? [] : [`${counted(inTasks, 'message')} of sub-agents had the same words: redacted, too.`]
  if (contents === 0) return ofTasks.join('')
  const kept = `${counted(contents, 'kept content')} of files had the same words and ${contents === 1 ? 'is' : 'are'} deleted: /rewind cannot bring ${contents === 1 ? 'it' : 'them'} back.`
  return [...ofTasks, kept].join(' ')
}

/** The note for the model if the user restored files and the conversation continues. */
export function rewoundForModel({ done }: RewoundFiles, to: number): string {
  const named = (change: 'delete' | undefined) =>
    done.filter((file) => (file.change === 'delete') === (change === 'delete')).map(({ path }) => path)
  const [restored, deleted] = [named(undefined), named('delete')]
  return [
    `${FILES_SET_BACK}#${to}.`,
    ...(restored.length === 0 ? [] : [`Restored: ${restored.join(', ')}.`]),
    ...(deleted.length === 0 ? [] : [`Deleted, as they did not exist then: ${deleted.join(', ')}.`]),
    'Read them again before you rely on them.]',
  ].join(' ')
}

/** A message that was put back, with the fields that a sentence about it needs. */
type PutBackFacts = {
  readonly seq: number
  /** The number of messages that were put back: a call comes with its results. */
  readonly messages: number
  readonly tokens: number
}

export function putBackText({ seq, messages, tokens }: PutBackFacts): string {
  const step = messages < 2 ? '' : ` with what belongs to it (${counted(messages, 'message')})`
  return `${handle(seq)}${step} is back word for word and stays: ${count(tokens)} tokens`
}

/** Why a message is not put back. */
export function notBackText(seq: number, { over, tokens, most }: OverFacts): string {
  return over === 'limit'
    ? `${handle(seq)} does not fit: the context would have ${count(tokens)} tokens, and ${count(most)} is the most`
    : `${handle(seq)} does not fit with the parts that always stay: together they have ${count(tokens)} tokens, and a compaction aims at ${count(most)}`
}

/** The bound that a request exceeds, and the number of tokens that was compared with it. */
export type OverFacts = { readonly over: 'target' | 'limit'; readonly tokens: number; readonly most: number }

/** `has 9,100 tokens, more than the limit of 9,000`. The target is compared without the unread. */
export function overText({ over, tokens, most }: OverFacts): string {
  const compared = over === 'target' ? ' without the unread ones' : ''
  return `has ${count(tokens)} tokens${compared}, more than the ${over} of ${count(most)}`
}
