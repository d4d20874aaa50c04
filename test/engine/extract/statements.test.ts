import { describe, expect, it } from 'vitest'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { statementsIn } from '../../../src/engine/extract/statements.ts'
import type { Message } from '../../../src/model/types.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const said = (...messages: readonly Message[]) => statementsIn(viewOf(logOf(messages)).items.slice())
const onTheWay = (text: string): Message => ({
  role: 'assistant',
  content: [
    { type: 'text', text },
    { type: 'tool-call', toolCallId: 'a', toolName: 'read', input: { path: 'a.ts' } },
  ],
})

describe('what an agent said', () => {
  it('is there paragraph by paragraph with its entry; without a call it is an answer', () => {
    expect(
      said(
        user('Make it quick.'),
        onTheWay('I cache `parse`, and do not call it for every line.\n\nThe port is taken.'),
        result('a'),
        assistant('The parser is four times as quick.'),
      ),
    ).toEqual([
      { kind: 'reason', seq: 2, text: 'I cache `parse`, and do not call it for every line.' },
      { kind: 'reason', seq: 2, text: 'The port is taken.' },
      { kind: 'answer', seq: 4, text: 'The parser is four times as quick.' },
    ])
  })

  it('is not what the user said, what a tool printed, or reasoning', () => {
    const thought: Message = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: 'It may be the port, or not.' }],
    }
    expect(said(user('Make it quick, as I said.'), call('a'), result('a', 'a long line of output'), thought)).toEqual(
      [],
    )
  })

  it('is divided between lines where a paragraph is long, and nothing of it is lost', () => {
    const lines = Array.from({ length: 60 }, (_, i) => `Line ${i} says that part ${i} is slow on some days.`)
    const pieces = said(user('Why?'), assistant(lines.join('\n')))
    expect(pieces.length).toBeGreaterThan(3)
    expect(pieces.map(({ text }) => text).join('\n')).toBe(lines.join('\n'))
    for (const { text } of pieces) expect(text.length).toBeLessThanOrEqual(560)
  })

  it('has no words that say nothing, and none that a client makes it write', () => {
    expect(said(user('Go.'), assistant('Done.'), user('And?'), assistant('No response requested.'))).toEqual([])
    expect(said(user('Go.'), assistant('THOUGHT: The flag is called `--into` here.'))).toMatchObject([
      { text: 'The flag is called `--into` here.' },
    ])
  })

  it('is marked as a report if another agent said it', () => {
    const report = `The lease is kept in \`leases.ts\` and lasts 60 s. ${'It is renewed by a timer of the server. '.repeat(8)}`
    const [statement] = said(user('Where is it?'), call('t', 'Task', { prompt: 'look' }), result('t', report, 'Task'))
    expect(statement?.seq).toBe(3)
    expect(statement?.text).toMatch(/^A sub-agent: The lease is kept in `leases.ts` and lasts 60 s\./)
  })
})
