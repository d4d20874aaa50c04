import { type LanguageModelMiddleware, tool } from 'ai'
import { onTestFinished } from 'vitest'
import { z } from 'zod'
import type { SdkModel } from '../../../src/adapters/ai-sdk/models/sdk-call.ts'
import {
  isSummarising,
  type ModelServer,
  type ModelServerOptions,
  startModelServer,
} from '../../support/model-server/index.ts'

export const WINDOW = 12_000
export const SUMMARY =
  '## Goal\nTo read every page of the book.\n\n## Done\nThe first pages were read: page-1.txt and page-2.txt.'

/** A tool whose every answer is a long page. */
export const TOOLS = {
  read: tool({
    description: 'Reads a page of the book.',
    inputSchema: z.object({ path: z.string() }),
    execute: async ({ path }) => `${path}\n${'a line of the page, one of many\n'.repeat(80)}`,
  }),
}

/** A provider whose model reads that many pages before it has an answer, and summarises when it is asked to. */
export async function reader(
  pages: number,
  options: Partial<ModelServerOptions> = {},
): Promise<ModelServer & { readonly summaries: () => number; readonly steps: () => number }> {
  let page = 0
  const server = await startModelServer({
    window: WINDOW,
    brain: (request) => {
      if (isSummarising(request)) return { text: `${SUMMARY} The last ones: ${lastOf(page)}.` }
      if (page >= pages) return { text: 'All pages are read.' }
      page++
      return {
        text: `${'I noted what this chapter says of its people. '.repeat(60)}Now page ${page}.`,
        calls: [{ name: 'read', input: { path: `page-${page}.txt` } }],
      }
    },
    ...options,
  })
  onTestFinished(() => server.close())
  const answered = (summarising: boolean) => () =>
    server.requests.filter((record) => record.summarising === summarising && record.outcome === 'answered').length
  return { ...server, summaries: answered(true), steps: answered(false) }
}

function lastOf(page: number): string {
  return [page - 2, page - 1, page].map((each) => `page-${each}.txt`).join(', ')
}

/** The server streams only: this makes a whole answer of a stream, for `generateText`. */
export const generatesByStreaming: LanguageModelMiddleware = {
  specificationVersion: 'v4',
  wrapGenerate: async ({ doStream }) => {
    const { stream } = await doStream()
    const content: Awaited<ReturnType<SdkModel['doGenerate']>>['content'] = []
    let finish: Pick<Awaited<ReturnType<SdkModel['doGenerate']>>, 'finishReason' | 'usage'> | undefined
    for await (const part of stream) {
      if (part.type === 'error') throw part.error
      if (part.type === 'text-delta') {
        const last = content.at(-1)
        if (last?.type === 'text') last.text += part.delta
        else content.push({ type: 'text', text: part.delta })
      }
      if (part.type === 'tool-call') content.push(part)
      if (part.type === 'finish') finish = part
    }
    if (finish === undefined) throw new Error('the stream has no end')
    return { content, finishReason: finish.finishReason, usage: finish.usage, warnings: [] }
  },
}
