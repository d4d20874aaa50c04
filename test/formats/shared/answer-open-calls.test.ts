import { expect, it } from 'vitest'
import { messagesOf, validate, viewOf } from '../../../src/engine.ts'
import { answerOpenCalls } from '../../../src/formats/index.ts'
import { decoded, fixture } from '../fixture.ts'

it('a log gets results for its open calls, and stays as it is without any', () => {
  const { entries } = decoded(fixture('claude-code.jsonl'))
  expect(answerOpenCalls(entries)).toBe(entries)
  const open = entries.slice(0, 2)
  expect(validate(messagesOf(viewOf(answerOpenCalls(open))))).toEqual([])
})
