import { APICallError } from 'ai'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { compactionMiddleware } from '../../../src/adapters/ai-sdk/index.ts'
import type { CallOptions, Prompt, SdkModel } from '../../../src/adapters/ai-sdk/models/sdk-call.ts'
import { featureEstimator } from '../../../src/tokens/estimate/feature-estimator.ts'
import { full } from '../../support/full.ts'

const lineOf = (n: number) => `Requirement ${n}: the parser of module-${n} reports the innermost bracket.`
const RULE_TOKENS = featureEstimator.text('A rule holds. '.repeat(100)) / 100
const TASKS = new Map<number, readonly string[]>()
const NAMELESS = { message: 'Your input exceeds the context window of this model.', code: 'context_length_exceeded' }

/** A task of that many tokens, each line of it different. */
function taskOf(tokens: number): readonly string[] {
  const known = TASKS.get(tokens)
  if (known !== undefined) return known
  const lines = ['Do all of this.']
  for (let n = 1; featureEstimator.text(lines.join('\n')) < tokens; n++) lines.push(lineOf(n))
  TASKS.set(tokens, lines)
  return lines
}

/** The task, steps that nearly fill the window, a result that is unread and, if wanted, another word of the user before it. */
function promptOf(task: readonly string[], window: number, hasLaterWord: boolean, fixed = 0): Prompt {
  const page = 'const limit = Math.floor(window * 0.8) // as many as a request may have\n'.repeat(20)
  const steps = Math.max(4, Math.floor((window * 0.7 - fixed) / featureEstimator.text(page)))
  const step = (n: number): Prompt => [
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: `c${n}`, toolName: 'read', input: { path: `src/${n}.ts` } }],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: `c${n}`, toolName: 'read', output: { type: 'text', value: page } }],
    },
  ]
  const later: Prompt = hasLaterWord
    ? [{ role: 'user', content: [{ type: 'text', text: 'The port must stay 8443.' }] }]
    : []
  return [
    { role: 'system', content: `You are an agent. ${'A rule holds. '.repeat(Math.floor(fixed / RULE_TOKENS))}` },
    { role: 'user', content: [{ type: 'text', text: task.join('\n') }] },
    ...Array.from({ length: steps }, (_, n) => step(n)).flat(),
    ...later,
    ...step(steps),
  ]
}

/** The prompts that were sent until one was answered after that many refusals, or it was given up. */
async function afterRefusals(
  prompt: Prompt,
  window: number,
  refusals: number,
  errorFor: (sent: Prompt) => Record<string, string>,
) {
  const sent: Prompt[] = []
  const model = {
    specificationVersion: 'v4',
    provider: 'acme.chat',
    modelId: 'large',
    supportedUrls: {},
    doGenerate: async ({ prompt }: CallOptions) => {
      sent.push(prompt)
      if (sent.length <= refusals) {
        const named = errorFor(prompt)
        throw new APICallError({
          ...named,
          message: named.message ?? '',
          url: '',
          requestBodyValues: {},
          statusCode: 400,
          responseBody: JSON.stringify({ error: named }),
        })
      }
      return {
        content: [{ type: 'text', text: 'Done.' }],
        finishReason: { unified: 'stop', raw: 'stop' },
        usage: { inputTokens: { total: undefined }, outputTokens: { total: undefined } },
        warnings: [],
      }
    },
  } as unknown as SdkModel
  const { transformParams, wrapGenerate } = compactionMiddleware({ window, summaryModels: [] })
  const params = await transformParams?.({ type: 'generate', params: { prompt }, model })
  if (params === undefined || wrapGenerate === undefined) throw new Error('no middleware')
  const run = { doGenerate: async () => model.doGenerate(params), doStream: async () => model.doStream(params) }
  // Where it is given up the error is thrown on.
  await Promise.resolve(wrapGenerate({ ...run, params, model })).catch(() => {})
  return { sent, last: textOf(sent.at(-1) ?? []) }
}

const textOf = (prompt: Prompt) => JSON.stringify(prompt)
const tokensOf = (prompt: Prompt) => featureEstimator.text(textOf(prompt))
const shareOf = (task: readonly string[], last: string) =>
  task.filter((line) => last.includes(line)).length / task.length

const windows = fc.constantFrom(
  16_000,
  32_000,
  ...(full ? [4_000, 64_000, 128_000, 200_000, 1_000_000, 2_000_000] : []),
)

/** The least share of a task that is left after that many refusals in a row. */
const LEAST_SHARE: Readonly<Record<number, number>> = { 1: 1, 2: 0.75, 3: 0.55, 4: 0.4 }
/** More than the frame of a record, the system prompt and the JSON around them. */
const ALL_BUT_NOTHING = 900

it('refusals that name no size cut the task last of all, and each request is smaller than the one before', async () => {
  const refusals = fc.constantFrom(1, 2, 3, 4)
  await fc.assert(
    fc.asyncProperty(windows, refusals, fc.constantFrom(2_000, 6_000), async (window, times, tokens) => {
      const task = taskOf(Math.min(tokens, window / 2))
      const { sent, last } = await afterRefusals(promptOf(task, window, false), window, times, () => NAMELESS)
      const sizes = sent.map(tokensOf)
      expect(sizes).toEqual([...new Set(sizes)].toSorted((a, b) => b - a))
      const share = shareOf(task, last)
      if (share < 1) expect((sizes.at(-1) ?? 0) - share * tokens).toBeLessThan(ALL_BUT_NOTHING)
      if (window >= 16_000) expect(share).toBeGreaterThanOrEqual(LEAST_SHARE[times] ?? 1)
    }),
    {
      numRuns: full ? 60 : 3,
      examples: [
        [16_000, 1, 6_000],
        [16_000, 2, 6_000],
        [200_000, 3, 2_000],
      ],
    },
  )
})

it('what the user said first and last is there after two refusals, whatever came between', async () => {
  await fc.assert(
    fc.asyncProperty(windows, async (window) => {
      const task = taskOf(1_000)
      const { last } = await afterRefusals(promptOf(task, window, true), window, 2, () => NAMELESS)
      expect(last).toContain('The port must stay 8443.')
      expect(shareOf(task, last)).toBeGreaterThan(0.7)
    }),
    { numRuns: full ? 20 : 2 },
  )
})

it('a refusal that names its window teaches it at once', async () => {
  const task = taskOf(6_000)
  const message =
    "This model's maximum context length is 16384 tokens. However, your messages resulted in 150000 tokens."
  const { sent, last } = await afterRefusals(promptOf(task, 200_000, false), 200_000, 1, () => ({
    message,
    code: 'context_length_exceeded',
  }))
  expect(tokensOf(sent.at(-1) ?? [])).toBeLessThan(16_384)
  expect(shareOf(task, last)).toBe(1)
})

type Refused = { window: number; times: number; tokens: number; percent: number; isNamed: boolean }

/** Windows with one to four refusals, with and without a size that the provider names, beside small and large prompts. */
const refused: Refused[] = (full ? [4_000, 8_000, 16_000, 32_000, 64_000, 200_000, 2_000_000] : [64_000])
  .flatMap((window) => (full ? [1, 2, 3, 4] : [2, 4]).map((times) => ({ window, times })))
  .flatMap((each) => [2_000, 6_000].map((tokens) => ({ ...each, tokens })))
  .flatMap((each) => (full ? [0, 40, 75] : [0]).map((percent) => ({ ...each, percent })))
  .flatMap((each) => [true, false].map((isNamed) => ({ ...each, isNamed })))

/** The window that a provider names, as a share of the request that it refuses. */
const NAMED = 0.75
const namedError = (window: number) => ({
  message: `This model's maximum context length is ${window} tokens.`,
  code: 'context_length_exceeded',
})

it('a task is whole after one to four refusals, while a request with it can be smaller than the last that was refused', async () => {
  const cut: unknown[] = []
  let whole = 0
  for (const one of refused) {
    const { window, times, tokens, percent, isNamed } = one
    const task = taskOf(Math.min(tokens, window / 2))
    const fixed = (window * percent) / 100
    const errorFor = (sent: Prompt) => (isNamed ? namedError(Math.floor(NAMED * tokensOf(sent))) : NAMELESS)
    const prompt = promptOf(task, window, false, fixed)
    const { sent, last } = await afterRefusals(prompt, window, times, errorFor)
    const sizes = sent.map(tokensOf)
    const share = shareOf(task, last)
    const least =
      tokensOf([prompt[0], prompt[1]].flatMap((each) => (each === undefined ? [] : [each]))) + ALL_BUT_NOTHING
    const lastRefused = sizes[Math.min(times, sizes.length) - 1] ?? 0
    const isAnswered = sizes.length > times
    if (isAnswered && share === 1) whole++
    else if (least <= 0.85 * lastRefused * (isNamed ? NAMED : 1)) cut.push({ ...one, share, least, sizes })
  }
  expect(cut).toEqual([])
  // Beside a prompt that takes most of the window there is often no room for the whole task.
  expect(whole).toBeGreaterThan(refused.length / (full ? 5 : 3))
}, 900_000)
