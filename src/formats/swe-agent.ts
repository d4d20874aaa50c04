import type { AssistantPart, Message } from '../model/message.ts'
import { Draft } from './codec.ts'
import { type Fields, fields, list, objects, text } from './json.ts'
import { fromOpenAIChat } from './openai-chat.ts'
import { textOutput } from './result-output.ts'

/** Reads a trajectory of SWE-agent: chat messages whose results name their call in a list. */
export function readSweAgent(document: unknown): Draft {
  const draft = new Draft()
  const whole = fields(document)
  const history = objects(whole?.history).map((message) =>
    message.tool_call_ids === undefined ? message : { ...message, tool_call_id: text(list(message.tool_call_ids)[0]) },
  )
  addAll(draft, fromOpenAIChat(history))
  draft.log.recordedMessages = history.length
  return draft
}

/**
 * Reads a trajectory of mini-SWE-agent. Its first version has no tool calls: the one command of an answer stands in a
 * code block, and the next message of the user is its output. They become a call and its result.
 */
export function readMiniSweAgent(document: unknown): Draft {
  const draft = new Draft()
  const whole = fields(document)
  const messages = objects(whole?.messages)
  draft.facts.sessionId = text(whole?.instance_id)
  draft.facts.version = text(fields(whole?.info)?.mini_version)
  const hasCalls = messages.some((message) => 'tool_calls' in message)
  if (hasCalls) addAll(draft, fromOpenAIChat(messages))
  else addCommands(draft, messages)
  draft.log.recordedMessages = messages.length
  return draft
}

function addAll({ log }: Draft, messages: readonly Message[]): void {
  for (const message of messages) {
    if (message.role === 'system') log.system.push(message.content)
    else log.say(message)
    if (message.role === 'assistant' && typeof message.content !== 'string')
      log.recordedCalls += message.content.filter((part) => part.type === 'tool-call').length
  }
}

const COMMANDS = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/g

function addCommands({ log }: Draft, messages: readonly Fields[]): void {
  let open: { readonly id: string; readonly isRun: boolean } | undefined
  for (const [i, message] of messages.entries()) {
    const words = wordsOf(message.content)
    if (message.role === 'system') log.system.push(words)
    else if (message.role === 'assistant') {
      const commands = [...words.matchAll(COMMANDS)].map((match) => match[1] ?? '')
      // Of several commands in one answer none is run: the agent refuses the answer.
      open = commands.length === 0 ? undefined : { id: `call-${i}`, isRun: commands.length === 1 }
      if (open !== undefined) log.recordedCalls++
      log.say({ role: 'assistant', content: answer(words, open?.id, commands) })
    } else if (open !== undefined) {
      log.result(open.id, open.isRun ? textOutput(words) : { type: 'execution-denied', reason: words })
      open = undefined
    } else log.say({ role: 'user', content: words })
  }
}

function answer(words: string, id: string | undefined, commands: readonly string[]): AssistantPart[] {
  const said = (id === undefined ? words : words.replaceAll(COMMANDS, '')).trim()
  const text: AssistantPart[] = said === '' ? [] : [{ type: 'text', text: said }]
  if (id === undefined) return text
  return [...text, { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command: commands.join('\n') } }]
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => text(part.text) ?? [])
    .join('\n')
}
