import { expect, it } from 'vitest'
import { appended, logOf } from '../../../src/engine/context/view/log.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import { indexDelta } from '../../../src/engine/extract/index-delta.ts'
import { assistant, call, result, user } from '../../support/messages.ts'

const messages = [
  user('Never touch the lexer.'),
  call('r', 'read', { path: 'src/read.ts' }),
  result('r', 'const heron = 1', 'read'),
  call('w', 'write', { path: 'src/new.ts', content: 'x' }),
  result('w', 'File written', 'write'),
  call('b', 'bash', { command: 'npm test' }),
  result('b', 'Error: the heron is gone\nExit code 1', 'bash'),
  assistant('It fails.'),
]

it('messages that were left out still say what changed, what ran and what the user said, but quote nothing', () => {
  const out = { type: 'leave-out' as const, targets: [{ from: 1, upTo: 8, tokens: 99 }], requestedBy: 'user' as const }
  const log = logOf(messages)
  const whole = indexDelta(viewOf(log).items.slice())
  expect(whole.errors).toHaveLength(1)
  expect(whole.files?.map(({ path }) => path)).toEqual(['src/read.ts', 'src/new.ts'])
  const items = viewOf(appended(log, [{ ...out, tokensBefore: 2, tokensAfter: 1 }])).items.slice()
  expect(items).toHaveLength(1)
  const facts = indexDelta(items)
  expect(facts.errors).toBeUndefined()
  expect(facts.files?.map(({ path }) => path)).toEqual(['src/new.ts'])
  expect(facts.commands).toEqual(whole.commands)
  expect(facts.users).toEqual(whole.users)
  expect(facts.constraints).toEqual(whole.constraints)
})
