import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Config } from '@google/gemini-cli-core'
import type { Peer, PeerTask } from '../harness/peer.ts'
import {
  ChatCompressionService,
  findCompressSplitPoint,
} from '../node_modules/@google/gemini-cli-core/dist/src/context/chatCompressionService.js'
import { estimateTokenCountSync } from '../node_modules/@google/gemini-cli-core/dist/src/utils/tokenCalculation.js'
import { complete } from './complete.ts'
import { type Message, outputText, partsOfType, resultMessage, textOf } from './text.ts'

type Content = Parameters<typeof findCompressSplitPoint>[0][number]
type Part = NonNullable<Content['parts']>[number]

const MODEL = 'gemini-2.5-pro'
/** The service keeps the last 30 % of the characters. */
const SPAN_SHARE = 0.7

/** Gemini CLI: its `ChatCompressionService` with a configuration of its own class, whose model is the server we name. */
export const peer: Peer<Content[]> = {
  label: 'Gemini CLI',
  nativeOf: (messages) => messages.map(native),
  messagesOf: (contents) => contents.flatMap(ours),
  append: (contents, message) => void contents.push(native(message)),
  count,
  plan: (contents) => findCompressSplitPoint(contents, SPAN_SHARE),
  compact: async (contents, task) => {
    const chat = { getHistory: () => contents, getLastPromptTokenCount: () => count(contents) }
    const service = new ChatCompressionService()
    const { newHistory } = await service.compress(chat as never, 'bench', true, MODEL, configFor(task), false)
    return newHistory ?? contents
  },
  notes: {
    count:
      'Gemini CLI: `estimateTokenCountSync`: reads every character of texts up to 100,000 characters, lengths of all else.',
    plan: 'Gemini CLI: `findCompressSplitPoint` at 70 % of the characters; it turns every message into JSON to measure it.',
    compact:
      'Gemini CLI: `ChatCompressionService.compress`; it asks its model twice, each time with the whole span as messages, and writes older tool output beyond 50,000 tokens to files.',
  },
}

function count(contents: readonly Content[]): number {
  return estimateTokenCountSync(contents.flatMap(({ parts }) => parts ?? []))
}

const configs = new Map<string, Config>()

/** One configuration for all compactions of a task, as in a running program. */
function configFor(task: PeerTask): Config {
  const key = JSON.stringify([task.folder, task.url, task.model])
  const known = configs.get(key) ?? newConfig(task)
  configs.set(key, known)
  return known
}

function newConfig(task: PeerTask): Config {
  const { folder } = task
  // It prints a warning if this is missing.
  writeFileSync(join(folder, '.geminiignore'), '')
  const config = new Config({ sessionId: 'bench', targetDir: folder, cwd: folder, debugMode: false, model: MODEL })
  const generateContent = async (request: { contents: Content[]; systemInstruction: { text: string } }) => {
    const text = await complete(request.systemInstruction.text, JSON.stringify(request.contents), task)
    return { candidates: [{ content: { role: 'model', parts: [{ text }] } }] }
  }
  Object.assign(config, { getBaseLlmClient: () => ({ generateContent }), getContentGenerator: () => ({}) })
  Object.assign(config.storage, { getProjectTempDir: () => folder })
  return config
}

function native(message: Message): Content {
  if (message.role === 'tool') {
    return {
      role: 'user',
      parts: partsOfType(message, 'tool-result').map(({ toolCallId: id, toolName: name, output }) => ({
        functionResponse: { id, name, response: { output: outputText(output) } },
      })),
    }
  }
  const text = textOf(message)
  const calls: Part[] = partsOfType(message, 'tool-call').map(({ toolCallId: id, toolName: name, input }) => ({
    functionCall: { id, name, args: input as Record<string, unknown> },
  }))
  const parts = [...(text === '' && calls.length > 0 ? [] : [{ text }]), ...calls]
  return { role: message.role === 'assistant' ? 'model' : 'user', parts }
}

function ours({ role, parts = [] }: Content): Message[] {
  const results = parts.flatMap(({ functionResponse: result }) =>
    result === undefined
      ? []
      : [resultMessage(result.id ?? '', result.name ?? '', String(result.response?.output ?? ''))],
  )
  const text = parts.map((part) => part.text ?? '').join('')
  const calls = parts.flatMap(({ functionCall: call }) =>
    call === undefined
      ? []
      : [{ type: 'tool-call' as const, toolCallId: call.id ?? '', toolName: call.name ?? '', input: call.args ?? {} }],
  )
  const texts = text === '' ? [] : [{ type: 'text' as const, text }]
  if (role === 'model') return [{ role: 'assistant', content: [...texts, ...calls] }]
  return [...results, ...(text === '' ? [] : [{ role: 'user' as const, content: text }])]
}
