import { expect, it } from 'vitest'
import { logOf, status, viewOf } from '../../src/engine.ts'
import type { Message } from '../../src/model/types.ts'

const words = 'words '.repeat(4_000)
const native: Message = {
  role: 'assistant',
  content: [{ type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { encryptedContent: 'x' } } }],
}
const tokens = (messages: readonly Message[]) => status({ view: viewOf(logOf(messages)) }).tokens

it('the messages before a compaction of the provider are not counted', () => {
  const before: Message[] = [
    { role: 'user', content: words },
    { role: 'assistant', content: words },
  ]
  expect(tokens([...before, native, { role: 'user', content: 'Go on.' }])).toBeLessThan(100)
})

it('messages of the user alone before it are, as a compacted list of OpenAI has them', () => {
  expect(tokens([{ role: 'user', content: words }, native, { role: 'user', content: 'Go on.' }])).toBeGreaterThan(5_000)
})

it('a smaller count of the provider is believed after it', () => {
  const log = logOf([
    { role: 'user', content: words },
    { role: 'assistant', content: words },
    native,
    { role: 'user', content: 'Go on.' },
    { role: 'assistant', content: 'Done.' },
  ]).map((entry, i) =>
    entry.type === 'message' && (i === 1 || i === 4)
      ? { ...entry, usage: { inputTokens: i === 1 ? 6_000 : 300, outputTokens: i === 1 ? 6_000 : 10 } }
      : entry,
  )
  expect(status({ view: viewOf(log) })).toMatchObject({ tokens: 310, source: 'provider' })
})
