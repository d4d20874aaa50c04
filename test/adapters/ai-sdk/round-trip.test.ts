import { generateText, isStepCount, type ModelMessage, tool, wrapLanguageModel } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { Conversations, withEntries } from '../../../src/adapters/ai-sdk/context/conversations.ts'
import { compactionMiddleware } from '../../../src/adapters/ai-sdk/index.ts'
import { type Middleware, type Prompt, readPrompt, writePrompt } from '../../../src/adapters/ai-sdk/models/sdk-call.ts'
import { logOf } from '../../../src/engine/context/view/log.ts'
import { requestOf } from '../../../src/engine/context/view/request.ts'
import { viewOf } from '../../../src/engine/context/view/view-of.ts'
import type { Entry } from '../../../src/model/types.ts'
import { turns } from '../../support/messages.ts'
import { sdkModel } from '../../support/model-server/sdk-model.ts'
import { generatesByStreaming, reader, TOOLS, WINDOW } from './world.ts'

/** All that a prompt can hold, and two things that none can yet. */
const PROMPT: Prompt = [
  { role: 'system', content: 'Be brief.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Look at these.' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: new Uint8Array([1, 2, 3]) } },
      { type: 'file', mediaType: 'application/pdf', data: { type: 'url', url: new URL('https://example.com/a.pdf') } },
      { type: 'file', mediaType: 'text', filename: 'notes.txt', data: { type: 'text', text: 'notes' } },
      { type: 'file', mediaType: 'image', data: { type: 'reference', reference: { openai: 'file-1' } } },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'abc==' } } },
      { type: 'custom', kind: 'openai.note', providerOptions: { openai: { id: 'x' } } },
      { type: 'tool-call', toolCallId: 's1', toolName: 'web_search', input: { q: 'pith' }, providerExecuted: true },
      {
        type: 'tool-result',
        toolCallId: 's1',
        toolName: 'web_search',
        output: { type: 'json', value: [{ url: 'u' }] },
      },
      { type: 'tool-call', toolCallId: 'm1', toolName: 'mcp', input: {}, providerExecuted: true },
      { type: 'tool-call', toolCallId: 'c1', toolName: 'read', input: { path: 'a' } },
      { type: 'tool-call', toolCallId: 'c2', toolName: 'remove', input: { path: 'b' } },
      { type: 'tool-call', toolCallId: 'c3', toolName: 'scan', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [
      { type: 'tool-approval-response', approvalId: 'a1', approved: true },
      {
        type: 'tool-result',
        toolCallId: 'c1',
        toolName: 'read',
        output: {
          type: 'content',
          value: [
            { type: 'text', text: 'page' },
            { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
          ],
        },
      },
      { type: 'tool-result', toolCallId: 'c2', toolName: 'remove', output: { type: 'execution-denied', reason: 'no' } },
      { type: 'tool-result', toolCallId: 'c3', toolName: 'scan', output: { type: 'hologram', value: 7 } as never },
    ],
  },
  { role: 'assistant', content: [{ type: 'text', text: 'Done.' }, { type: 'smell', note: 'cedar' } as never] },
]

describe('a prompt that goes through the log and back', () => {
  it('is the same, with all that we do not look into', () => {
    const { instructions, messages } = readPrompt(PROMPT)
    expect(writePrompt(instructions, requestOf(viewOf(logOf(messages))))).toEqual(PROMPT)
  })

  it('is made of the same objects if nothing was wrapped', () => {
    const { instructions, messages } = readPrompt(PROMPT)
    const written = writePrompt(instructions, requestOf(viewOf(logOf(messages))))
    expect(written[1]).toBe(PROMPT[1])
    expect(written[2]).toBe(PROMPT[2])
  })

  it('keeps the tail of a compaction as it was, signatures, files and unknown parts included', async () => {
    const server = await reader(0)
    const prompts: Prompt[] = []
    const spy: Middleware = {
      specificationVersion: 'v4',
      transformParams: async ({ params }) => {
        prompts.push(params.prompt)
        return params
      },
    }
    const model = wrapLanguageModel({
      model: sdkModel(server, 'chat'),
      middleware: [compactionMiddleware({ window: 4 * WINDOW, summaryModels: [] }), spy, generatesByStreaming],
    })
    const long: Prompt = turns(240, 900).map(
      ({ role, content }) => ({ role, content: [{ type: 'text', text: String(content) }] }) as Prompt[number],
    )
    const prompt: Prompt = [
      ...PROMPT.slice(0, 1),
      ...long,
      ...PROMPT.slice(1),
      { role: 'user', content: [{ type: 'text', text: 'And?' }] },
    ]
    // This server's reading of a hologram is not the question.
    await Promise.resolve(model.doGenerate({ prompt })).catch(() => undefined)
    const [sent = []] = prompts
    expect(sent.length).toBeLessThan(prompt.length)
    expect(sent[0]).toBe(PROMPT[0])
    expect(sent.slice(-4)).toEqual(prompt.slice(-4))
  })
})

describe('tools that need approval', () => {
  it('are approved across a compaction', async () => {
    const server = await reader(12)
    const model = wrapLanguageModel({
      model: sdkModel(server, 'chat'),
      middleware: [compactionMiddleware({ window: WINDOW }), generatesByStreaming],
    })
    const read = tool({ ...TOOLS.read, inputSchema: z.object({ path: z.string() }) })
    const messages: ModelMessage[] = [{ role: 'user', content: 'Read it, I shall allow each page.' }]
    let approvals = 0
    for (;;) {
      const { content, responseMessages } = await generateText({
        model,
        tools: { read },
        toolApproval: { read: 'user-approval' },
        messages,
        stopWhen: isStepCount(2),
      })
      messages.push(...responseMessages)
      const asked = content.filter((part) => part.type === 'tool-approval-request')
      if (asked.length === 0) break
      approvals += asked.length
      messages.push({
        role: 'tool',
        content: asked.map(({ approvalId }) => ({ type: 'tool-approval-response', approvalId, approved: true })),
      })
    }
    expect(approvals).toBe(12)
    expect(server.summaries()).toBeGreaterThan(0)
    expect(server.violations).toEqual([])
  })
})

describe('what is remembered of conversations', () => {
  it('is bounded: the least recently used goes first', () => {
    const conversations = new Conversations(2)
    const three = [turns(1), turns(2), turns(3, 60)]
    for (const messages of three) {
      const known = conversations.open(messages)
      const mask: Entry = { type: 'mask', id: 'm', seq: 9, at: 0, targets: [], tokensBefore: 1, tokensAfter: 1 }
      conversations.keep(withEntries(known, [mask], known.context))
    }
    expect(conversations.size).toBe(2)
    const isKnown = (i: number) =>
      conversations.open(structuredClone(three[i] ?? [])).log.some(({ type }) => type === 'mask')
    expect([0, 1, 2].map(isKnown)).toEqual([false, true, true])
  })

  it('holds no messages', () => {
    const conversations = new Conversations()
    conversations.keep(conversations.open([{ role: 'user', content: 'a secret of the user' }]))
    expect(JSON.stringify(conversations.open([{ role: 'user', content: 'another' }]).log)).not.toContain('secret')
  })
})
