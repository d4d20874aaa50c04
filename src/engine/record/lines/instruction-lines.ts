import { handle } from '../../../model/text.ts'
import { type CurrentInstruction, currentInstructions } from '../../extract/instructions/current-instructions.ts'
import { instructionKind } from '../../extract/instructions/instruction-name.ts'
import type { KnownIndex } from '../../extract/known-index.ts'
import { escaped, pathLine, withOwnLines } from '../escape.ts'
import { SECTION } from '../sections/section-titles.ts'
import type { Shorten } from './file-lines.ts'
import { RANK, type RecordLine } from './line.ts'

/**
 * The instruction files that the agent read: each with its handle, and those that are instructions by convention with their
 * text. It is quoted line by line as what a file says; a long one is cut after its head. A skill is only named: it is for one
 * task, and can be loaded again.
 */
export function instructionLines(
  { index: { instructionFiles = [] }, files }: KnownIndex,
  short: Shorten,
): RecordLine[] {
  return currentInstructions(instructionFiles, files).map((one): RecordLine => {
    const { path, seq, shown, sources } = one
    const name = `- ${handle(seq)} ${escaped(pathLine(short(path)))}`
    const isRule = shown === undefined && instructionKind(path) === 'convention' && !path.endsWith('/SKILL.md')
    const text = isRule ? quotable(one.text) : ''
    return {
      section: SECTION.instructions,
      from: sources,
      order: -seq,
      levels: text === '' ? 1 : CHARACTERS.length,
      render: (level) => {
        const head = headOf(text, CHARACTERS[level] ?? 0)
        return head === '' ? name + noteOf(one, '') : `${name}${noteOf(one, head, text.length)}:\n${quoted(head)}`
      },
      // The rules of a project count as much as the user's words: with the name of the file they can be read again.
      ...(isRule ? { stays: { level: STAYS, rank: RANK.open } } : {}),
      kind: 'instruction',
      what: 'more instruction files',
    }
  })
}

/** From whole to the name alone. */
const CHARACTERS = [Number.POSITIVE_INFINITY, 4_000, 1_400, 400, 0] as const
/** The level at which the rules of a project stay. */
const STAYS = 2

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
const NOTE = {
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

const QUOTE = '> '
