import { endsInCrlf, withCrlf } from '../files/line-ends.ts'
import { notFound } from './not-found.ts'

/** One exact replacement. */
export type Edit = { readonly oldText: string; readonly newText: string; readonly replaceAll?: boolean | undefined }

export type Edited =
  | { readonly ok: true; readonly text: string; readonly replaced: number }
  | { readonly ok: false; readonly reason: string }

/** The text with all edits applied in order, or why one of them cannot be. Line ends are matched whatever they are. */
export function applyEdits(text: string, edits: readonly Edit[]): Edited {
  const crlf = endsInCrlf(text)
  let result = text
  let replaced = 0
  for (const [i, edit] of edits.entries()) {
    const found = find(result, edit)
    const problem = problemOf(result, edit, found)
    if (problem !== undefined) return { ok: false, reason: edits.length === 1 ? problem : `Edit ${i + 1}: ${problem}` }
    result = splice(result, found, crlf ? withCrlf(edit.newText) : edit.newText)
    replaced += found.at.length
  }
  if (result === text) return { ok: false, reason: 'The edits change nothing' }
  return { ok: true, text: result, replaced }
}

/** Where a text stands, in the form in which it was found. */
type Found = { readonly oldText: string; readonly at: readonly number[] }

function find(text: string, { oldText, replaceAll }: Edit): Found {
  const forms = [oldText, withCrlf(oldText), oldText.replaceAll('\r\n', '\n')]
  const found = forms.map((form) => ({ oldText: form, at: placesOf(text, form, replaceAll === true) }))
  return found.find(({ at }) => at.length > 0) ?? { oldText, at: [] }
}

function placesOf(text: string, part: string, all: boolean): number[] {
  const places: number[] = []
  // Two places that overlap are two places, but only one of them can be replaced.
  const step = all ? part.length : 1
  const most = all ? Number.POSITIVE_INFINITY : MOST_COUNTED
  if (part === '') return places
  for (let at = text.indexOf(part); at !== -1 && places.length < most; at = text.indexOf(part, at + step)) {
    places.push(at)
  }
  return places
}

function problemOf(text: string, edit: Edit, { at }: Found): string | undefined {
  if (edit.oldText === '') return '`oldText` is empty: to make a file or replace all of it use write'
  if (edit.oldText === edit.newText) return '`oldText` and `newText` are the same'
  if (at.length === 0) return notFound(text, edit.oldText)
  if (at.length === 1 || edit.replaceAll === true) return undefined
  const lines = at.slice(0, LISTED).map((index) => lineOf(text, index))
  const more = at.length > LISTED ? ', …' : ''
  return `\`oldText\` stands ${at.length}${at.length === MOST_COUNTED ? ' or more' : ''} times in the file (lines ${lines.join(', ')}${more}): take in more lines around it, or set replaceAll`
}

const LISTED = 8
const MOST_COUNTED = 1_000

function lineOf(text: string, index: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++
  return line
}

function splice(text: string, { oldText, at }: Found, newText: string): string {
  const pieces: string[] = []
  let end = 0
  for (const start of at) {
    pieces.push(text.slice(end, start), newText)
    end = start + oldText.length
  }
  return [...pieces, text.slice(end)].join('')
}
