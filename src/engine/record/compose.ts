import type { Style } from '../../model/policy/policy.ts'
import { unreachable } from '../../model/problems/errors.ts'
import { oneLine } from '../../model/text.ts'
import type { FileFact, Message, RecordPart } from '../../model/types.ts'
import { enclose, escaped, escapedSummary, pathLine, withOwnLines } from './escape.ts'
import { FLAGGED, RECORD_CLOSING, RECORD_OPENING } from './prompts/record-texts.ts'
import { FILE_LISTS, HEADING, SECTION, sectionsOf } from './sections/section-titles.ts'
import type { ChosenLine } from './select.ts'

/** The sections and their headings in the order of a record: what somebody who takes over would ask. */
const ORDER: readonly string[] = Object.values(SECTION)
const HEADINGS: readonly string[] = Object.values(HEADING)

/** Chosen lines as parts of a record, in their order. */
export function partsOfLines(chosen: readonly ChosenLine[]): RecordPart[] {
  const place = ({ line }: ChosenLine) => ORDER.indexOf(line.section) * 100 + HEADINGS.indexOf(line.heading ?? '')
  const ordered = chosen.toSorted((a, b) => place(a) - place(b) || a.line.order - b.line.order)
  const groups = Map.groupBy(ordered, ({ line }) => (line.label === undefined ? line : labelKey(line)))
  return [...groups.values()].map((some): RecordPart => {
    const [{ line, text }] = some as [ChosenLine]
    const { section, heading, label, narrative } = line
    return {
      section,
      ...(heading === undefined ? {} : { heading }),
      from: [...new Set(some.flatMap((one) => one.line.from))],
      text: withOwnLines(label === undefined ? text : labelText(label, some)),
      ...(narrative === undefined ? {} : { narrative }),
    }
  })
}

function labelKey({ section, heading, label }: ChosenLine['line']): string {
  return `${section}\n${heading}\n${label}`
}

function labelText(label: string, some: readonly ChosenLine[]): string {
  const names = some.map(({ text }) => text)
  const text =
    label === '' ? names.join(', ') : names.length === 1 ? `${label}${names[0]}` : `${label}: ${names.join(', ')}`
  return escaped(`- ${text}`)
}

/** The lines of a narrative, each in its section. Text under headings of its own stays together, before the current state. */
function narrativeParts(summary: string): RecordPart[] {
  return sectionsOf(escapedSummary(summary)).flatMap(({ title, lines }) => {
    // Text without a heading is put into the state: after the user's words it would read as one of them.
    const section = title === '' ? SECTION.state : title
    return lines.map((text): RecordPart => ({ section, from: [], text, narrative: true }))
  })
}

/** The words of a summary that has no other lines. */
export function frameWords(frame: Style, summary: string): RecordPart[] {
  if (frame === 'pith') return narrativeParts(summary)
  return [{ from: [], text: frame === 'keen' ? summary : escapedSummary(summary), narrative: true }]
}

/** Parts with another narrative: the lines of its sections come first in them. */
export function withNarrative(parts: readonly RecordPart[], summary: string): RecordPart[] {
  let all = parts.filter(({ narrative }) => narrative !== true)
  const mark = markIn(all)
  const safe = mark === undefined ? summary : summary.replaceAll(mark, 'record')
  const own = [...Map.groupBy(narrativeParts(safe), ({ section }) => section)]
  for (const [section = SECTION.state, some] of own) {
    const rank = placeOf(section)
    // Sections that only a narrative has stay in their order.
    const isBefore = (place: number) => (ORDER.includes(section) ? place < rank : place <= rank)
    const at = all.findIndex((part) => part.section !== undefined && !isBefore(placeOf(part.section)))
    const end = all.findLastIndex((part) => part.section !== undefined) + 1
    all = all.toSpliced(at === -1 ? end || Math.min(1, all.length) : at, 0, ...some)
  }
  return all
}

/** The place of a section. Those that only a narrative has come before the current state. */
function placeOf(section: string): number {
  const at = ORDER.indexOf(section)
  return at === -1 ? ORDER.indexOf(SECTION.state) - 0.5 : at
}

function markIn([first]: readonly RecordPart[]): string | undefined {
  return /<(record-\w+)>$/.exec(first?.text ?? '')?.[1]
}

export type FrameInput = {
  readonly frame: Style
  /** The parts inside the frame. */
  readonly parts: readonly RecordPart[]
  /** How many messages the compaction took out of the view. */
  readonly messages: number
  /** How many messages of the log the record replaces. */
  readonly standsFor: number
  /** Names in the narrative that its source does not contain. */
  readonly flagged?: readonly string[]
}

/** The parts of a record with the frame of its preset around them. */
export function framedParts({ frame, parts, messages, standsFor, flagged = [] }: FrameInput): RecordPart[] {
  switch (frame) {
    case 'pith': {
      const names = flagged.map((name) => `\`${oneLine(name, 120)}\``).join(', ')
      const doubt = names === '' ? [] : [framePart(`\n${FLAGGED} ${names}`)]
      const inside = [...parts, ...doubt]
      const [open = '', , close = ''] = enclose('record', textOfParts(inside)).split(/\n([\s\S]*)\n/)
      return [
        framePart(`${RECORD_OPENING(standsFor)}\n\n${open}`),
        ...inside,
        framePart(`${close}\n\n${RECORD_CLOSING}`),
      ]
    }
    case 'keen':
    case 'koda':
      return [...parts]
    case 'agent':
      return [
        framePart('[Conversation Summary]'),
        ...parts,
        framePart(`\n[End Summary - ${messages} messages compacted]`),
      ]
    case 'kit':
      return [framePart('[Conversation summary — earlier messages were compacted]\n'), ...parts]
    default:
      return unreachable(frame)
  }
}

/** A part of the frame: it comes from no entry, and no section has it. */
export function framePart(text: string): RecordPart {
  return { from: [], text }
}

/** The message that replaces the compacted span in the view. */
export function recordMessage(frame: Style, parts: readonly RecordPart[]): Message {
  const role = frame === 'pith' || frame === 'keen' ? 'user' : 'system'
  return { role, content: textOfParts(parts) }
}

/** The text of parts: each heading once, before the first of its lines that has a text. */
export function textOfParts(parts: readonly RecordPart[]): string {
  const lines: string[] = []
  let [section, heading]: (string | undefined)[] = [undefined, undefined]
  for (const part of parts) {
    if (part.text === '' && (part.from.length > 0 || (part.section !== undefined && part.narrative !== true))) continue
    if (part.section !== section) {
      const isFirst = section === undefined
      section = part.section
      heading = undefined
      if (section !== undefined) lines.push(...(isFirst ? [] : ['']), `## ${section}`)
    }
    if (part.heading !== heading) {
      heading = part.heading
      if (heading !== undefined) lines.push(`### ${heading}`)
    }
    lines.push(part.text)
  }
  return lines.join('\n')
}

/** The lists of files that a preset adds to its summary, sorted by path. */
export function fileListParts(files: readonly FileFact[]): RecordPart[] {
  const list = (title: string, access: FileFact['access']) => {
    const some = files.filter((fact) => fact.access === access).toSorted((a, b) => (a.path < b.path ? -1 : 1))
    const lines = some.map(({ path, seq }): RecordPart => ({ from: [seq], text: escaped(`- ${pathLine(path)}`) }))
    return lines.length === 0 ? [] : [framePart(`\n## ${title}`), ...lines]
  }
  return [...list(FILE_LISTS.read, 'read'), ...list(FILE_LISTS.modified, 'modified')]
}
