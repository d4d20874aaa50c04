import { type ListRemover, listRemover } from '../../src/eval/probes/name-lists.ts'
import { squashed } from '../../src/eval/probes/shown.ts'
import { allNamesIn, messageShown, nextNames } from '../../src/eval/truth/needed.ts'
import { toolSteps } from '../../src/eval/truth/steps.ts'
import type { Cut } from './cuts.ts'
import { type Edit, lastEdits } from './truth/edits.ts'
import { typedMeanwhile } from './truth/meanwhile.ts'
import { uncommittedFiles } from './truth/uncommitted.ts'

/** The work that a record should describe, in addition to the facts that it names. */
export type Work = {
  readonly edits: readonly Edit[]
  readonly uncommitted: readonly string[]
  readonly meanwhile: readonly string[]
  /** Names in the next calls that the span had shown. */
  readonly nextNames: readonly string[]
  /** The text of all messages after the cut. */
  readonly after: string
  readonly withoutLists: ListRemover
}

export function workOf({ span, after }: Pick<Cut, 'span' | 'after'>): Work {
  const messages = span.map(({ message }) => message)
  const steps = toolSteps(messages)
  const source = messages.map(messageShown).join('\n')
  return {
    edits: lastEdits(steps),
    uncommitted: uncommittedFiles(steps),
    meanwhile: typedMeanwhile(messages),
    nextNames: nextNames(after, source),
    after: after.map(messageShown).join('\n'),
    withoutLists: listRemover(messages),
  }
}

/** Keeps its old name because the docs read the committed results by it. */
export const UNCOMMITTED_LABEL = 'uncommitted work told'

export const MEASURES = [
  'edits described',
  UNCOMMITTED_LABEL,
  'prompts typed meanwhile',
  'names of the next 15 calls',
  'precision of names',
] as const
export type Measure = (typeof MEASURES)[number]

/** `part` of `whole`. */
export type Count = { readonly part: number; readonly whole: number }

/** How much of the work a text describes: a share for each measure. */
export function measuresOf(work: Work, text: string): Readonly<Record<Measure, Count>> {
  const flat = plain(text)
  const names = new Set(allNamesIn(text))
  return {
    'edits described': counted(work.edits, (edit) => describes(flat, edit)),
    [UNCOMMITTED_LABEL]: counted(work.uncommitted, (path) => saysUncommitted(text, lastPart(path))),
    'prompts typed meanwhile': counted(work.meanwhile, (said) => flat.includes(plain(said))),
    'names of the next 15 calls': counted(work.nextNames, (name) => text.includes(name)),
    'precision of names': counted(work.after === '' ? [] : [...names], (name) => work.after.includes(name)),
  }
}

function counted<T>(all: readonly T[], holds: (one: T) => boolean): Count {
  return { part: all.filter(holds).length, whole: all.length }
}

/** Backslashes and code marks are formatting, not part of the text. */
function plain(text: string): string {
  return squashed(text.replace(/[\\`]/g, ''))
}

/** The beginning of a line is enough, since a record may clip it. */
const LINE_CHARACTERS = 40

function describes(flat: string, { path, lines, names }: Edit): boolean {
  if (lines.some((line) => flat.includes(plain(line).slice(0, LINE_CHARACTERS)))) return true
  const near = around(flat, lastPart(path))
  return names.some((name) => near.has(name))
}

/** The words around each mention of a file: a sentence before it, a paragraph after it. */
function around(flat: string, file: string): Set<string> {
  const pieces = flat.split(file)
  const near = pieces.slice(1).map((piece, i) => `${(pieces[i] ?? '').slice(-200)} ${piece.slice(0, 800)}`)
  return new Set(near.flatMap((text) => text.split(/[^\w$]+/)))
}

/** On the line of the file, in the title above it, or in a sentence about all work. */
function saysUncommitted(text: string, file: string): boolean {
  let title = ''
  let isNamed = false
  for (const line of text.split('\n')) {
    if (/^#{1,6} |:\**\s*$/.test(line)) title = line
    if (!line.includes(file)) continue
    isNamed = true
    if (UNCOMMITTED.test(line) || UNCOMMITTED.test(title)) return true
  }
  return isNamed && ALL_UNCOMMITTED.test(text)
}

const UNCOMMITTED = /uncommitt?ed|not (?:yet )?(?:been )?committed|unstaged|to be committed/i
const ALL_UNCOMMITTED =
  /\b(?:needs?|still|remains?) to (?:be )?commit|\b(?:nothing|none of (?:this|it|the \w+)) (?:is|was|has been|were|are)[^.\n]{0,20} committed|\b(?:all|these|the) (?:\w+ )?(?:changes|edits|files|work) (?:is|are|was|were)[^.\n]{0,20} (?:uncommitted|not (?:yet )?(?:been )?committed)/i

function lastPart(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}
