import { isStepCount, streamText, tool } from 'ai'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { contextManager } from '../../../../src/adapters/ai-sdk/index.ts'
import { full } from '../../../support/full.ts'
import { isSummarising, PROTOCOLS, startModelServer } from '../../../support/model-server/index.ts'
import { sdkModel } from '../../../support/model-server/sdk-model.ts'
import { SUMMARY } from '../world.ts'

const STEPS = full ? 300 : 16
/** The server counts this many characters of JSON as a token. */
const CHARACTERS = 3.6
const LINE = 'a line of the page, one of many of its kind. '

const SHORT = [
  { protocol: 'anthropic', window: 8_000, percent: 60 },
  { protocol: 'anthropic', window: 32_000, percent: 10 },
] as const
const cases = full
  ? PROTOCOLS.flatMap((protocol) =>
      [8_000, 32_000, 200_000, 1_000_000].flatMap((window) =>
        [10, 60].map((percent) => ({ protocol, window, percent })),
      ),
    )
  : SHORT

it.each(cases)(
  'all steps over $protocol fit a window of $window tokens beside a fixed part of $percent percent, and no page is cut',
  async ({ protocol, window, percent }) => {
    const text = (tokens: number) => LINE.repeat(Math.ceil((tokens * CHARACTERS) / LINE.length))
    // Some ten pages fill what the fixed part leaves.
    const page = text((window * (100 - percent)) / 100 / 16)
    const cut: string[] = []
    let asked = 0
    const server = await startModelServer({
      window,
      brain: (request) => {
        if (isSummarising(request)) return { text: SUMMARY }
        const last = JSON.stringify(request.messages.at(-1))
        if (asked > 0 && !(last.includes(`page-${asked}.txt begins`) && last.includes(`page-${asked}.txt ends`)))
          cut.push(`page-${asked}`)
        if (asked >= STEPS) return { text: 'All pages are read.' }
        asked++
        return { text: `Now page ${asked}.`, calls: [{ name: 'read', input: { path: `page-${asked}.txt` } }] }
      },
    })
    onTestFinished(() => server.close())
    const read = tool({
      description: 'Reads a page of the book.',
      inputSchema: z.object({ path: z.string() }),
      execute: async ({ path }) => `${path} begins\n${page}\n${path} ends`,
    })
    const result = streamText({
      model: sdkModel(server, protocol),
      instructions: text((window * percent) / 100),
      tools: { read },
      prompt: 'Read the whole book, page by page.',
      stopWhen: isStepCount(STEPS + 5),
      prepareStep: contextManager({ window }).prepareStep,
    })
    await result.consumeStream()
    expect(await result.text).toBe('All pages are read.')
    expect({ cut, violations: server.violations }).toEqual({ cut: [], violations: [] })
    const summaries = server.requests.filter(({ summarising }) => summarising).length
    expect(summaries).toBeLessThan(STEPS / 4)
  },
  full ? 1_800_000 : 60_000,
)
