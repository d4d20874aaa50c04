import { handle } from '../../../model/text.ts'
import { type CurrentInstruction, currentInstructions } from '../../extract/instructions/current-instructions.ts'
import { instructionKind } from '../../extract/instructions/instruction-name.ts'
import type { KnownIndex } from '../../extract/known-index.ts'
import type { Snippet } from '../digest/render-within.ts'
import { escaped, pathLine, withOwnLines } from '../escape.ts'
import type { RecordBlock } from './fit-blocks.ts'
import type { Shorten } from './record-facts.ts'
import { SECTION } from './section-titles.ts'

/** The most of a record's facts that the words of files may take. */
const MOST_SHARE = 0.3

/**
 * The instruction files that the agent read: each with its handle, and those that are instructions by convention with their
 * text. It is quoted line by line as what a file says; a long one is cut after its head.
 */
export function instructionBlock(
  { index: { instructionFiles = [] }, files }: KnownIndex,
  room: number,
  short: Shorten,
): RecordBlock {
  const found = currentInstructions(instructionFiles, files)
  const snippets = found.map((one) => instructionSnippet(one, short))
  return {
    section: SECTION.instructions,
    snippets,
    levels: CHARACTERS.length,
    short: CHARACTERS.indexOf(1_400),
    // The rules of a project count as much as the user's words: with the name of the file they can be read again.
    tier: 0,
    least: Math.max(1, snippets.filter(({ priority }) => priority > OF_PROJECT).length),
    share: 40,
    most: Math.floor(room * MOST_SHARE),
    what: 'more instruction files',
  }
}

/** From whole to the name alone. */
const CHARACTERS = [Number.POSITIVE_INFINITY, 4_000, 2_400, 1_400, 800, 400, 0] as const
/** A skill is long, for one task, and can be loaded again. */
const SKILL_CHARACTERS = 1_400
/** More than any seq: a file with words of its own comes before one that is only named. */
const HAS_TEXT = 1e9
/** The rules of a project outlive a skill, which is for one task. */
const OF_PROJECT = 2e9

function instructionSnippet(file: CurrentInstruction, short: Shorten): Snippet {
  const { path, seq, shown } = file
  const name = `- ${handle(seq)} ${escaped(pathLine(short(path)))}`
  const text = shown === undefined && instructionKind(path) === 'convention' ? quotable(file.text) : ''
  const isSkill = path.endsWith('/SKILL.md')
  return {
    priority: seq + (text === '' ? 0 : isSkill ? HAS_TEXT : OF_PROJECT),
    render: (level) => {
      const head = headOf(text, Math.min(CHARACTERS[level] ?? 0, isSkill ? SKILL_CHARACTERS : Number.POSITIVE_INFINITY))
      return head === '' ? name + noteOf(file, '') : `${name}${noteOf(file, head, text.length)}:\n${quoted(head)}`
    },
  }
}

/** The text without empty lines, which would only cost room. */
function quotable(text = ''): string {
  return withOwnLines(text.replace(/\r\n?/g, '\n'))
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
    .join('\n')
}

/** The first whole lines within so many characters; a first line that is longer is cut. */
function headOf(text: string, characters: number): string {
  if (text.length <= characters) return text
  const end = text.lastIndexOf('\n', characters)
  return end > characters / 2 ? text.slice(0, end) : text.slice(0, characters).replace(/\s*\S*$/, '')
}

/** The notes that a reader of the text needs: it is shortened, a part, or from before a change. */
function noteOf({ seq, length = 0, extent, changed, shown }: CurrentInstruction, head: string, all = 0): string {
  const whole = Math.max(all, length)
  const notes = [
    ...(shown === undefined ? [] : [`${NOTE.shown} ${handle(shown)}`]),
    ...(head === '' || extent === 'whole' ? [] : [NOTE[extent]]),
    ...(head === '' || head.length === whole
      ? []
      : [`shortened: ${head.length} of ${whole} characters, recall ${handle(seq)}`]),
    ...(changed === undefined || changed < (shown ?? 0)
      ? []
      : [`${head === '' ? NOTE.changed : NOTE.edited} ${handle(changed)}`]),
  ]
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`
}

/** The notes after a path. */
export const NOTE = {
  shown: 'whole after this record,',
  part: 'a part of it',
  printed: 'with other output of a command',
  changed: 'changed since, in',
  edited: 'with the edit',
} as const

/** The lines of a file as a quotation: none of them can begin a section or an item. */
function quoted(text: string): string {
  return escaped(
    text
      .split('\n')
      .map((line) => `${QUOTE}${line}`)
      .join('\n'),
  )
}

export const QUOTE = '> '
