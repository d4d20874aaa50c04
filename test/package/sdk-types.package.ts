import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { npm, offline, type Packed, pack } from './packed.ts'

/**
 * The types of the converters against the SDKs themselves. They are installed here and not in the repository: both are large
 * (61 MB), and what counts are the declarations in the tarball.
 */
const why = offline()

const LISTS = ['anthropic-lists', 'openai-chat-lists', 'openai-responses-lists']

const PROGRAM = `
import type Anthropic from '@anthropic-ai/sdk'
import type { ModelMessage, UIMessage } from 'ai'
import type fc from 'fast-check'
import type OpenAI from 'openai'
import { fit } from 'pith'
import {
  fromAnthropic, fromModelMessages, fromOpenAIChat, fromOpenAIResponses, fromUIMessages,
  toAnthropic, toModelMessages, toOpenAIChat, toOpenAIResponses, toUIMessages,
} from 'pith/formats'
import { anthropicLists } from './anthropic-lists.ts'
import { openAIChatLists } from './openai-chat-lists.ts'
import { openAIResponsesLists } from './openai-responses-lists.ts'

const model = 'any'

export async function anthropic(client: Anthropic, said: Anthropic.MessageParam[], beta: Anthropic.Beta.BetaMessageParam[]) {
  const { messages } = await fit(fromAnthropic(said), { window: 200_000 })
  await client.messages.create({ model, max_tokens: 1, ...toAnthropic(messages) })
  await client.beta.messages.create({ model, max_tokens: 1, ...toAnthropic(fromAnthropic(beta)) })
}

export async function openAI(client: OpenAI, said: OpenAI.ChatCompletionMessageParam[], items: OpenAI.Responses.ResponseInputItem[]) {
  await client.chat.completions.create({ model, messages: toOpenAIChat(fromOpenAIChat(said)) })
  const { output } = await client.responses.create({ model, input: toOpenAIResponses(fromOpenAIResponses(items)) })
  fromOpenAIResponses([...items, ...output])
}

export function aiSdk(ui: UIMessage[], said: ModelMessage[]): [UIMessage[], ModelMessage[]] {
  return [toUIMessages(fromUIMessages(ui)), toModelMessages(fromModelMessages(said))]
}

// The lists of the property tests are lists of the SDKs.
export const lists: [
  fc.Arbitrary<Anthropic.Beta.BetaMessageParam[]>,
  fc.Arbitrary<OpenAI.ChatCompletionMessageParam[]>,
  fc.Arbitrary<OpenAI.Responses.ResponseInputItem[]>,
] = [anthropicLists, openAIChatLists, openAIResponsesLists]

// @ts-expect-error: no message
fromAnthropic(['hello'])
// @ts-expect-error: a content is a text or parts
fromOpenAIChat([{ role: 'user', content: 5 }])
// @ts-expect-error: a message of the user interface has parts
fromUIMessages([{ role: 'user', content: 'hello' }])
`

describe.runIf(why === undefined)('the converters', () => {
  let packed: Packed
  beforeAll(() => {
    packed = pack()
  })
  afterAll(() => rmSync(packed.folder, { recursive: true, force: true }))

  it.each(['5.9', '7'])('take and give lists of the SDKs without a cast, under TypeScript %s', (version) => {
    const project = join(packed.folder, `sdk-types-${version}`)
    mkdirSync(project)
    writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }')
    const sdks = ['openai@7', '@anthropic-ai/sdk@1', 'ai@7', 'fast-check@4']
    npm(['install', packed.tarball, `typescript@${version}`, '@types/node@22', ...sdks], project)
    for (const list of LISTS) copyFileSync(`test/formats/lists/${list}.ts`, join(project, `${list}.ts`))
    writeFileSync(join(project, 'program.ts'), PROGRAM)
    const options = { strict: true, module: 'nodenext', target: 'es2023', noEmit: true, types: ['node'] }
    const compilerOptions = { ...options, skipLibCheck: true, allowImportingTsExtensions: true }
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['program.ts'] }))
    const { stdout, status } = spawnSync('npx', ['tsc'], { cwd: project, encoding: 'utf8' })
    expect(stdout).toBe('')
    expect(status).toBe(0)
  })
})
