import { describe, expect, it } from 'vitest'
import { withView } from '../../../src/engine/context/context.ts'
import { openContext } from '../../../src/engine/context/open-context.ts'
import { appended } from '../../../src/engine/context/view/log.ts'
import { contextParts } from '../../../src/engine/report/context-parts.ts'
import { charactersByFour, compact, logOf, type Message } from '../../../src/engine.ts'
import type { EntryDraft } from '../../../src/model/types.ts'
import { IMAGE_TOKENS } from '../../../src/tokens/estimate/estimator.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { modelSaying } from '../../support/messages.ts'

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

  it('has the system prompt and tools of the first request beyond the log as long as the messages explain the rest', () => {
    const [first = MESSAGES[0], ...others] = MESSAGES
    const usage = { inputTokens: 20_000 + featureEstimator.text('x'.repeat(400)), outputTokens: 60 }
    const answer = { type: 'message', message: others[0], usage } as const
    const later = Array.from({ length: 40 }, (_, i) => MESSAGES.map((one) => renumbered(one, 3 * i + 3))).flat()
    const log = appended(logOf([first as Message]), [answer as EntryDraft, ...[others[1], ...later].map(said)])
    const context = openContext(log, { estimator: charactersByFour })
    const hidden = (tokens: number) => named(contextParts(context, { status: { tokens, source: 'provider' } })).hidden
    const own = context.sizes.totals.last ?? 0
    for (const factor of [0.5, 0.9, 1, 1.1, 1.2]) expect(hidden(Math.round(own * factor) + 20_000)).toBe(20_000)
    expect(hidden(Math.round(own * 1.25) + 25_000)).toBe(25_000)
    const grown = contextParts(context, { status: { tokens: own, source: 'estimate' } })
    expect(named(grown).hidden).toBe(0)
  })

  it('counts reasoning that only the provider can read by the size of its seal, and images apart', () => {
    const signature = 's'.repeat(4_000)
    const thinking: Message = {
      role: 'assistant',
      content: [{ type: 'reasoning', text: '', providerOptions: { anthropic: { signature } } }],
    }
    const image: Message = { role: 'user', content: [{ type: 'image', image: 'AAAA', mediaType: 'image/png' }] }
    const total = 1_000 + IMAGE_TOKENS + 100
    expect(partsOf([{ role: 'user', content: 'x'.repeat(400) }, thinking, image], total, true)).toMatchObject({
      user: 100,
      reasoning: 1_000,
      images: IMAGE_TOKENS,
    })
  })

  it('is scaled to the number if all is known, whatever the provider counts', () => {
    const parts = partsOf(MESSAGES, 708, true)
    expect(parts.tool_results).toBe(400)
    expect(sum(parts)).toBe(708)
  })

  it('names the noted prompt and tools among what the provider counted beyond the log, and no more than that', () => {
    const context = openContext(logOf(MESSAGES), { estimator: charactersByFour })
    const input = { status: { tokens: 5_000, source: 'provider' as const } }
    const noted = { tools: [{ name: 'Bash', tokens: 1_000 }], prompt: [{ title: 'Tone', tokens: 600 }] }
    const before = named(contextParts(context, input))
    const parts = named(contextParts(context, { ...input, ...noted }))
    expect([parts.tools, parts.system]).toEqual([1_000, 600])
    expect(parts.hidden).toBe((before.hidden ?? 0) - 1_600)
    const large = { ...noted, prompt: [{ title: 'Tone', tokens: 90_000 }] }
    expect(sum(named(contextParts(context, { ...input, ...large })))).toBe(5_000)
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
      summaryModels: [
        modelSaying('## Details\nIt reads the same file again and again, and nobody knows why. ', {
          type: 'finish',
          reason: 'stop',
        }),
      ],
      estimator: charactersByFour,
    })
    const context = withView(openContext(log, { estimator: charactersByFour }), view)
    const parts = contextParts(context, { status: { tokens, source: 'estimate' } })
    expect(named(parts).summary).toBeGreaterThan(0)
    expect(named(parts).index).toBeGreaterThan(0)
  })
})

function renumbered(message: Message, i: number): Message {
  return JSON.parse(JSON.stringify(message).replaceAll('"c1"', `"c${Math.floor(i / 3)}"`))
}

function partsOf(messages: readonly Message[], tokens: number, isFixedKnown: boolean): Record<string, number> {
  const fixed = isFixedKnown ? { unseenTokens: 0 } : {}
  const context = openContext(logOf(messages), { estimator: charactersByFour, fixed })
  const parts = contextParts(context, { status: { tokens, source: 'provider' } })
  return named(parts)
}

function named(parts: readonly { readonly name: string; readonly tokens: number }[]): Record<string, number> {
  return Object.fromEntries(parts.map(({ name, tokens }) => [name, tokens]))
}

const said = (message: Message | undefined) => ({ type: 'message', message }) as EntryDraft

function sum(parts: Record<string, number>): number {
  return Object.values(parts).reduce((total, tokens) => total + tokens, 0)
}
