import { describe, expect, it } from 'vitest'
import { withView } from '../../../src/engine/context/context.ts'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { contextParts } from '../../../src/engine/report/context-parts.ts'
import { charactersByFour, compact, logOf, type Message } from '../../../src/engine.ts'

const MESSAGES: Message[] = [
  { role: 'user', content: 'x'.repeat(400) },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'r'.repeat(200) },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a.ts' } },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-result', toolCallId: 'c1', toolName: 'read', output: { type: 'text', value: 'y'.repeat(800) } },
    ],
  },
]

describe('what fills the window', () => {
  it('is listed by kind and adds up to the one number', () => {
    const parts = partsOf(MESSAGES, 354, true)
    expect(parts).toMatchObject({ user: 100, reasoning: 50, tool_results: 200, hidden: 0 })
    expect(sum(parts)).toBe(354)
  })

  it('has a separate part for what the provider counted beyond the log, if the fixed parts are unknown', () => {
    const parts = partsOf(MESSAGES, 5_000, false)
    expect(parts.tool_results).toBe(200)
    expect(parts.hidden).toBeGreaterThan(4_000)
    expect(sum(parts)).toBe(5_000)
  })

  it('has no such part if the provider counted less than we do', () => {
    const parts = partsOf(MESSAGES, 300, false)
    expect(parts).toEqual(partsOf(MESSAGES, 300, true))
    expect(parts.hidden).toBe(0)
  })

  it('is scaled to the number if all is known, whatever the provider counts', () => {
    const parts = partsOf(MESSAGES, 708, true)
    expect(parts.tool_results).toBe(400)
    expect(sum(parts)).toBe(708)
  })

  it('distinguishes a summary from the index under it', async () => {
    const log = logOf(
      Array.from({ length: 20 }, () => MESSAGES)
        .flat()
        .map(renumbered),
    )
    const { view, tokensAfter: tokens } = await compact({
      log,
      model: { contextWindow: 4_000 },
      estimator: charactersByFour,
    })
    const context = withView(openContext(log, { estimator: charactersByFour }), view)
    const parts = contextParts(context, { tokens, isFixedKnown: true })
    const named = Object.fromEntries(parts.map(({ name, tokens }) => [name, tokens]))
    expect(named.summary).toBeGreaterThan(0)
    expect(named.index).toBeGreaterThan(0)
  })
})

function renumbered(message: Message, i: number): Message {
  return JSON.parse(JSON.stringify(message).replaceAll('"c1"', `"c${Math.floor(i / 3)}"`))
}

function partsOf(messages: readonly Message[], tokens: number, isFixedKnown: boolean): Record<string, number> {
  const context = openContext(logOf(messages), { estimator: charactersByFour })
  const parts = contextParts(context, { tokens, isFixedKnown })
  return Object.fromEntries(parts.map(({ name, tokens }) => [name, tokens]))
}

function sum(parts: Record<string, number>): number {
  return Object.values(parts).reduce((total, tokens) => total + tokens, 0)
}
