import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { skipText } from '../../src/engine/report/skip.ts'
import type { SkipReason } from '../../src/model/compact-result.ts'

const SOURCES = new URL('../../src/', import.meta.url)
const PAGE = readFileSync(new URL('../../docs/troubleshooting.md', import.meta.url), 'utf8')

/** The messages in the first column of a table; plain words there are not messages. */
const MESSAGES = [...PAGE.matchAll(/^\| (.*?) \| /gm)].flatMap(([, cell = '']) =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, message = '']) => message),
)

/** The compiler wants all of them here. */
const SKIPS: Record<SkipReason, true> = {
  empty: true,
  'automatic-off': true,
  'breaker-open': true,
  'window-unknown': true,
  'under-trigger': true,
  'not-grown': true,
  'pending-tool-calls': true,
  'too-short': true,
  'no-legal-cut': true,
  'nothing-new': true,
  'nothing-to-gain': true,
  'floor-too-large': true,
}

/** Each piece of a message that does not differ. Punctuation alone would be found anywhere. */
function piecesOf(message: string): string[] {
  return message
    .split('…')
    .map((piece) => piece.trim())
    .filter((piece) => /[a-z]{2}/.test(piece))
}

describe('the page of troubleshooting', () => {
  it('quotes messages that the program has', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
    const source = files.map((file) => readFileSync(new URL(file, SOURCES), 'utf8')).join('\n')
    expect(MESSAGES.length).toBeGreaterThan(50)
    expect(MESSAGES.flatMap(piecesOf).filter((piece) => !source.includes(piece))).toEqual([])
  })

  it('has every reason for which nothing is compacted', () => {
    const reasons = Object.keys(SKIPS) as SkipReason[]
    expect(reasons.map(skipText).filter((text) => !MESSAGES.includes(text))).toEqual([])
  })
})
