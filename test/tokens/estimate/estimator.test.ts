import { describe, expect, it } from 'vitest'
import type { Message, Part, ToolResultOutput } from '../../../src/model/types.ts'
import { charactersByFour, type Estimator, fixedTokens, messageTokens } from '../../../src/tokens/estimate/estimator.ts'

/** The count of an image. */
const SCREENSHOT = 1_200

const tokensOf = (...parts: Part[]) => messageTokens({ role: 'assistant', content: parts } as Message, charactersByFour)
const resultTokens = (output: ToolResultOutput) =>
  tokensOf({ type: 'tool-result', toolCallId: 'a', toolName: 'read', output })

describe('the estimate', () => {
  it.each([
    ['', 0],
    ['abc', 0],
    ['abcd', 1],
    ['abcdefg', 1],
    ['abcdefgh', 2],
  ])('takes four characters for one token, rounded down: %j is %i', (text, tokens) => {
    expect(messageTokens({ role: 'user', content: text }, charactersByFour)).toBe(tokens)
  })

  it('rounds each part by itself', () => {
    expect(tokensOf({ type: 'text', text: 'abcdefg' }, { type: 'text', text: 'abcdefg' })).toBe(2)
    expect(tokensOf({ type: 'text', text: 'abc' }, { type: 'reasoning', text: 'abc' })).toBe(0)
  })

  it('counts a text the same as a string and as a part', () => {
    const text = 'x'.repeat(403)
    expect(messageTokens({ role: 'user', content: text }, charactersByFour)).toBe(tokensOf({ type: 'text', text }))
  })

  it('counts a call with its name and all of its arguments', () => {
    const input = { path: 'a.ts', content: 'x'.repeat(400) }
    const tokens = tokensOf({ type: 'tool-call', toolCallId: 'a', toolName: 'write', input })
    expect(tokens).toBe(Math.floor(`write${JSON.stringify(input)}`.length / 4))
  })

  it('counts a call without arguments', () => {
    expect(tokensOf({ type: 'tool-call', toolCallId: 'a', toolName: 'list', input: undefined })).toBe(1)
  })

  it.each<[string, ToolResultOutput, number]>([
    ['a text', { type: 'text', value: 'x'.repeat(40) }, 10],
    ['an error', { type: 'error-text', value: 'x'.repeat(40) }, 10],
    ['JSON', { type: 'json', value: 'x'.repeat(38) }, 10],
    ['an error as JSON', { type: 'error-json', value: ['x'.repeat(36)] }, 10],
    ['a refusal', { type: 'execution-denied', reason: 'x'.repeat(40) }, 10],
    [
      'several contents',
      {
        type: 'content',
        value: [
          { type: 'text', text: 'x'.repeat(40) },
          { type: 'image-data', data: 'aGk=', mediaType: 'image/png' },
          { type: 'file', data: { type: 'text', text: 'x'.repeat(40) }, mediaType: 'text/plain' },
          { type: 'file', data: { type: 'data', data: 'aGk=' }, mediaType: 'image/png' },
        ],
      },
      20 + 2 * SCREENSHOT,
    ],
  ])('counts a result that is %s', (_, output, tokens) => {
    expect(resultTokens(output)).toBe(tokens)
  })

  it('counts an image by what a screenshot costs, however many bytes it has', () => {
    expect(tokensOf({ type: 'image', image: 'a' })).toBe(SCREENSHOT)
    expect(tokensOf({ type: 'image', image: 'a'.repeat(4_000_000) })).toBe(SCREENSHOT)
    expect(tokensOf({ type: 'reasoning-file', data: 'a', mediaType: 'image/png' })).toBe(SCREENSHOT)
    expect(tokensOf({ type: 'file', data: 'a'.repeat(4_000_000), mediaType: 'application/pdf' })).toBe(SCREENSHOT)
  })

  it('counts a file that is text by its text', () => {
    const data = { type: 'text' as const, text: 'x'.repeat(40) }
    expect(tokensOf({ type: 'file', data, mediaType: 'text/plain' })).toBe(10)
  })

  it('counts what is said around an approval, and a provider’s own part by its data', () => {
    const reason = 'x'.repeat(40)
    expect(tokensOf({ type: 'tool-approval-request', approvalId: 'p', toolCallId: 'a', reason })).toBe(10)
    expect(tokensOf({ type: 'tool-approval-response', approvalId: 'p', approved: true, reason })).toBe(10)
    const custom: Part = { type: 'custom', kind: 'openai.item', providerOptions: { openai: { data: reason } } }
    expect(tokensOf(custom)).toBeGreaterThanOrEqual(10)
  })

  it('of a message is its known count, if there is one', () => {
    const message: Message = { role: 'user', content: 'abcdefgh' }
    const known: Estimator = { ...charactersByFour, known: new Map([[message, 700]]) }
    expect(messageTokens(message, known)).toBe(700)
    expect(messageTokens(structuredClone(message), known)).toBe(2)
  })
})

describe('what is sent with every request', () => {
  it('is counted part by part, tool schemas included', () => {
    const tool = { name: 'read', description: 'x'.repeat(400), inputSchema: { type: 'object' } }
    const text = 'x'.repeat(40)
    const tokens = fixedTokens(
      { system: text, tools: [tool, tool], instructions: text + text, memory: 'abcd' },
      charactersByFour,
    )
    expect(tokens).toEqual({
      system: 10,
      tools: 2 * Math.floor(JSON.stringify(tool).length / 4),
      instructions: 20,
      memory: 1,
    })
  })

  it('may be nothing', () => {
    expect(fixedTokens({}, charactersByFour)).toEqual({ system: 0, tools: 0, instructions: 0, memory: 0 })
  })
})
