import { counted } from './numbers.ts'

/** Files that were restored, and those that were not. */
export type RewoundFiles = {
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
export function forgottenText(contents: number): string {
  if (contents === 0) return ''
  return `${counted(contents, 'kept content')} of files had the same words and ${contents === 1 ? 'is' : 'are'} deleted: /rewind cannot bring ${contents === 1 ? 'it' : 'them'} back.`
}

/** The note for the model if the user restored files and the conversation continues. */
export function rewoundForModel({ done }: RewoundFiles, to: number): string {
  const named = (change: 'delete' | undefined) =>
    done.filter((file) => (file.change === 'delete') === (change === 'delete')).map(({ path }) => path)
  const [restored, deleted] = [named(undefined), named('delete')]
  return [
    `[The user set files back to how they were before #${to}.`,
    ...(restored.length === 0 ? [] : [`Restored: ${restored.join(', ')}.`]),
    ...(deleted.length === 0 ? [] : [`Deleted, as they did not exist then: ${deleted.join(', ')}.`]),
    'Read them again before you rely on them.]',
  ].join(' ')
}
