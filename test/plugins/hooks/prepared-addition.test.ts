import { describe, expect, it } from 'vitest'
import { preparedAddition } from '../../../src/plugins/hooks/prepare.ts'
import { compacted, lines, said } from '../../support/claude-code-lines.ts'

const SUMMARY =
  '<analysis>The heron of the lake was drawn, and much else was thought.</analysis><summary>Birds were drawn.</summary>'

describe('the addition that is prepared after a compaction', () => {
  it('is undefined until the file has the summary', () => {
    expect(preparedAddition(lines(said()), SUMMARY, { isLast: false })).toBeUndefined()
    expect(preparedAddition(lines(said(), compacted('Another one.')), SUMMARY, { isLast: false })).toBeUndefined()
  })

  it('has what the summary forgot, and not what stayed after it', () => {
    const prepared = preparedAddition(lines(said(), compacted('Summary:\nBirds were drawn.')), SUMMARY, {
      isLast: false,
    })
    expect(prepared).toMatchObject({ facts: 1, text: expect.stringContaining('- #1 Draw the heron of the lake.') })
    expect(prepared?.text).not.toContain('Now the reeds.')
  })

  it('checks the summary alone if the file never gets it', () => {
    const prepared = preparedAddition(lines(said()), SUMMARY, { isLast: true })
    expect(prepared).toMatchObject({ facts: 2, text: expect.stringContaining('- #3 Now the reeds.') })
  })

  it('waits for a summary that only the file has, and takes no older one for it', () => {
    const answer = {
      ...SAID,
      type: 'response_item',
      payload: { ...ANSWER, content: [{ type: 'output_text', text: 'Done.' }] },
    }
    const before = codexLines(codexSaid('Draw the heron of the lake.'), codexCompacted('Birds were drawn.'), answer)
    expect(preparedAddition(before, '', { isLast: false })).toBeUndefined()
    expect(preparedAddition(before, '', { isLast: true })).toEqual({ text: undefined, tokens: 0, facts: 0 })
    const after = `${before}\n${codexLines(codexCompacted('More birds.'))}`
    expect(preparedAddition(after, '', { isLast: false })).toMatchObject({
      text: expect.stringContaining('- #1 Draw the heron of the lake.'),
    })
  })

  it('adds nothing to a summary that only the provider can read', () => {
    const text = codexLines(codexSaid('Draw the heron of the lake.'), codexCompacted(undefined))
    expect(preparedAddition(text, '', { isLast: false })).toEqual({ text: undefined, tokens: 0, facts: 0 })
  })

  it('has no text if nothing was forgotten', () => {
    const summary = 'Draw the heron of the lake. Now the reeds.'
    expect(preparedAddition(lines(said()), summary, { isLast: true })).toEqual({ text: undefined, tokens: 0, facts: 0 })
  })

  it('throws over a file that it cannot read', () => {
    expect(() => preparedAddition('what is this', SUMMARY, { isLast: true })).toThrow('not a session')
  })
})

const SAID = { timestamp: '2026-11-16T06:32:28.997Z' }
const ANSWER = { type: 'message', role: 'assistant' }
const META = { ...SAID, type: 'session_meta', payload: { id: 'a', cwd: '/w', cli_version: '0.166.0' } }

function codexSaid(text: string) {
  const payload = { type: 'message', role: 'user', content: [{ type: 'input_text', text }] }
  return { ...SAID, type: 'response_item', payload }
}

function codexCompacted(message: string | undefined) {
  return { ...SAID, type: 'compacted', payload: { message, replacement_history: [] } }
}

function codexLines(...rows: readonly unknown[]): string {
  return [META, ...rows].map((row) => JSON.stringify(row)).join('\n')
}
