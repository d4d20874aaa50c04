import { expect, it } from 'vitest'
import { compact } from '../../../src/engine/compact/compact.ts'
import { logOf } from '../../../src/engine/view/log.ts'
import type { Message } from '../../../src/model/message.ts'
import { textOf } from '../../../src/model/message.ts'
import { call, result, user } from '../../support/messages.ts'

const COMMANDS = 210
const ran = (i: number): Message[] => [
  call(`c${i}`, 'bash', { command: `make part-${i} TARGET=release` }),
  result(`c${i}`, `${'built and linked\n'.repeat(40)}exit code: 0`, 'bash'),
]
const log = logOf([user('Build all parts.'), ...Array.from({ length: COMMANDS }, (_, i) => ran(i)).flat()])
const contextWindow = 24_000
const target = contextWindow / 2

it('a digest has every command where the tail leaves the target empty', async () => {
  const policy = { rungs: ['digest' as const], keepTokens: 500 }
  const { messages, tokensAfter } = await compact({ log, reason: 'threshold', model: { contextWindow }, policy })
  const [record] = messages
  const told = textOf(record ?? user('')).match(/make part-\d+ TARGET=release` \(ok\)/g) ?? []
  expect(told.length).toBeGreaterThan(COMMANDS - 10)
  expect(tokensAfter).toBeLessThanOrEqual(target)
})

it('a digest never needs more than the target, however much of it the tail takes', async () => {
  for (const keepTokens of [0, 2_000, 4_000, 8_000]) {
    const policy = { rungs: ['digest' as const], keepTokens, keepMaxPercent: 100 }
    const made = await compact({ log, reason: 'threshold', model: { contextWindow }, policy })
    expect(made.compacted).toBe(true)
    expect(made.tokensAfter).toBeLessThanOrEqual(target)
  }
})
