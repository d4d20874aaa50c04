import { abortCause } from '../../abort-cause.ts'
import type { SearchEnd } from './run-ripgrep.ts'

/** Notes about a search that did not search everything. */
export function searchNotes({ end, errors, signal }: SearchEnd, enough: string): string[] {
  const notes: string[] = []
  if (end === 'enough') notes.push(enough)
  if (end === 'timed-out') notes.push('Timed out: not everything was searched; name a smaller folder.')
  if (end === 'aborted') notes.push(`Aborted ${abortCause(signal)}: not everything was searched.`)
  const [first] = errors
  if (first !== undefined) {
    const more = errors.length > 1 ? ` and ${errors.length - 1} more` : ''
    notes.push(`Could not be searched: ${first.replace(/^rg: /, '')}${more}.`)
  }
  return notes
}
