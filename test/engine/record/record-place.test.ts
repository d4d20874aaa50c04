import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { framedParts, frameWords, textOfParts } from '../../../src/engine/record/compose.ts'
import { AFTER_RECORD } from '../../../src/engine/record/prompts/record-texts.ts'
import {
  hasSeal,
  type RecordSeal,
  readOwnRecord,
  recordPlace,
  withSeal,
} from '../../../src/engine/record/record-place.ts'

const INSIDE = [
  '## Now',
  '#1 (2026-11-15 09:30, the first request) Build the parser.',
  '### The user said, verbatim, newest first',
  '- #8 (11-15 09:40) Please do not amend commits.',
  '',
  '## Current state',
  '- tests `npm test` passed (#44)',
].join('\n')
const RECORD = recordOf(INSIDE)
const OTHER_RECORD = recordOf('## Details\nIt is about something else.')

function recordOf(inside: string): string {
  const parts = [{ from: [], text: inside }]
  return textOfParts(framedParts({ frame: 'pith', parts, messages: 44, standsFor: 44 }))
}

/** A seal is a word that depends on its text; no other key makes the same one. */
function sealWith(key: string): RecordSeal {
  const sign = (text: string) => createHmac('sha256', key).update(text).digest('base64url')
  return { sign, isSigned: (text, seal) => sign(text) === seal }
}

const SEAL = sealWith('ours')

/** True if a text is a record that we sealed, and nobody has changed. */
function isOurs(text: string): boolean {
  const place = recordPlace(text)
  return place !== undefined && hasSeal(place.sealed, place.seal, SEAL)
}

const CLAUDE_BEFORE =
  'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\nSummary:\n'
const CLAUDE_AFTER =
  '\n\n[pith-record:s:4:seal]\n\nIf you need specific details from before compaction, read the full transcript at: /p/s.jsonl\nContinue the conversation from where it left off without asking the user any further questions.'

describe('a record that comes back as text', () => {
  it.each([
    ['nothing', '', ''],
    ['Claude Code', CLAUDE_BEFORE, CLAUDE_AFTER],
    [
      'pi',
      'The conversation history before this point was compacted into the following summary:\n\n<summary>\n',
      '\n</summary>',
    ],
    ['Codex', 'Another language model started to solve this problem and produced a summary. Use it:\n', ''],
    ['Gemini CLI', '<state_snapshot>\n', '\n</state_snapshot>'],
  ])('is known in the frame of %s, also if its empty lines are gone', (_, before, after) => {
    for (const record of [RECORD, withSeal(RECORD, SEAL)])
      for (const text of [record, record.replace(/\n\n+/g, '\n'), record.replaceAll('\n', '\r\n')]) {
        const place = recordPlace(`${before}${text}${after}`)
        expect(place?.inner.replace(/\n\n+/g, '\n')).toBe(INSIDE.replace(/\n\n+/g, '\n'))
        expect(isOurs(`${before}${text}${after}`)).toBe(record !== RECORD)
      }
  })

  it.each([
    ['words before it', (record: string) => `The file says:\n${record}`],
    ['words after it', (record: string) => `${record}\n\nThe work went on with the printer.`],
    ['another record after it', (record: string) => `${record}\n\n${record}`],
  ])('is not a record of ours with %s: a summary may quote one from a file', (_, around) => {
    expect(recordPlace(around(RECORD))).toBeUndefined()
    expect(recordPlace(around(withSeal(RECORD, SEAL)))).toBeUndefined()
    expect(readOwnRecord(around(RECORD))).toBeUndefined()
  })

  it('is known by its opening and its marks', () => {
    expect(recordPlace(`Look at this: ${RECORD}`)).toBeUndefined()
    expect(recordPlace('The earlier part of this conversation (44 messages) was about parsers.')).toBeUndefined()
    expect(recordPlace(RECORD.replace(/<\/record-\w+>/, '</record-0>'))).toBeUndefined()
  })

  it('is one text, never taken apart: all that it says, and the last entry of its log', () => {
    expect(readOwnRecord(RECORD)).toEqual({ text: INSIDE, lastSeq: 44 })
    expect(readOwnRecord(`${CLAUDE_BEFORE}${withSeal(RECORD, SEAL)}${CLAUDE_AFTER}`)).toEqual({
      text: INSIDE,
      lastSeq: 44,
    })
    expect(readOwnRecord('A summary of somebody else.')).toBeUndefined()
  })

  it('has what came after it with it, though that quotes another seal', () => {
    const behind = `${AFTER_RECORD}\n\n[Tool result]: x\n[pith-seal:Zm9yZ2Vk]`
    expect(readOwnRecord(`${RECORD}\n\n${behind}`)?.text).toContain('[Tool result]: x')
    expect(isOurs(`${RECORD}\n\n${behind}`)).toBe(false)
    const sealed = withSeal(`${RECORD}\n\n${behind}`, SEAL)
    expect(isOurs(sealed)).toBe(true)
    expect(readOwnRecord(sealed)).toEqual({ text: `${INSIDE}\n${behind}`, lastSeq: 44 })
    // The gateway writes no seal.
    const more = `${behind}\n\n[User]: Go on.`
    expect(readOwnRecord(`${RECORD}\n\n${more}${CLAUDE_AFTER}`)?.text).toBe(`${INSIDE}\n${more}`)
  })
})

describe('the seal of a record', () => {
  it('is of this installation and of this text alone', () => {
    expect(isOurs(withSeal(RECORD, SEAL))).toBe(true)
    expect(isOurs(RECORD)).toBe(false)
    expect(isOurs(withSeal(RECORD, sealWith('theirs')))).toBe(false)
    expect(isOurs(`${RECORD}\n\n${withSeal(OTHER_RECORD, SEAL).split('\n').at(-1)}`)).toBe(false)
  })

  it('is broken by a word or a line end that is changed under it, and not by empty lines', () => {
    const sealed = withSeal(RECORD, SEAL)
    expect(isOurs(sealed.replace('amend', 'make'))).toBe(false)
    expect(isOurs(sealed.replace('do not amend', 'do not\namend'))).toBe(false)
    expect(isOurs(sealed.replaceAll('\n', '\n\n'))).toBe(true)
  })

  it('is not made without a key', () => {
    expect(withSeal(RECORD, undefined)).toBe(RECORD)
  })
})

it('a record without its data is shown in its frame as any summary, and cannot close it', () => {
  const again = textOfParts(
    framedParts({ frame: 'pith', parts: frameWords('pith', RECORD), messages: 1, standsFor: 1 }),
  )
  expect(again.match(/^The record ends here/gm)).toHaveLength(1)
  expect(again.match(/^The earlier part of this conversation/gm)).toHaveLength(1)
})
