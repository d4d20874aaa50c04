import { TASK_AGENT } from '../../engine/extract/text/clients.ts'
import type { AssistantPart } from '../../model/types.ts'
import { openAIChatReader } from '../openai-chat/read.ts'
import { textOutput } from '../shared/content-parts.ts'
import type { FormatReader } from '../shared/format.ts'
import { type Fields, fields, objects, text } from '../shared/json.ts'
import { SessionBuilder } from '../shared/log-builder.ts'
import { addMessages } from '../shared/message-list.ts'
import { NOT_OF_USER, unlessTask } from '../shared/user-words.ts'

/**
 * Reads a trajectory of mini-SWE-agent. Its first version has no tool calls: the one command of an answer is in a code block, and
 * the next message of the user is its output. They become a call and its result.
 */
export const readMiniSweAgent: FormatReader = {
  document(document) {
    const session = new SessionBuilder(TASK_AGENT)
    const whole = fields(document)
    const messages = objects(whole?.messages)
    session.facts.sessionId = text(whole?.instance_id)
    session.facts.version = text(fields(whole?.info)?.mini_version)
    const hasCalls = messages.some((message) => 'tool_calls' in message)
    if (hasCalls) addMessages(session, messages.flatMap(openAIChatReader()), unlessTask)
    else addCommands(session, messages)
    session.log.recordedMessages = messages.length
    return session
  },
}

const COMMANDS = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/g

function addCommands({ log }: SessionBuilder, messages: readonly Fields[]): void {
  let open: { readonly id: string; readonly isRun: boolean } | undefined
  for (const [i, message] of messages.entries()) {
    const words = wordsOf(message.content)
    if (message.role === 'system') log.system.push(words)
    else if (message.role === 'assistant') {
      const commands = [...words.matchAll(COMMANDS)].map((match) => match[1] ?? '')
      // If an answer has several commands, the agent refuses it and runs none.
      open = commands.length === 0 ? undefined : { id: `call-${i}`, isRun: commands.length === 1 }
      if (open !== undefined) log.recordedCalls++
      log.say({ role: 'assistant', content: answer(words, open?.id, commands) })
    } else if (open !== undefined) {
      // The agent itself refuses such an answer, not the user.
      if (open.isRun) log.result(open.id, textOutput(words))
      else log.result(open.id, { type: 'execution-denied', reason: words }, NOT_OF_USER)
      open = undefined
    } else log.say({ role: 'user', content: words }, unlessTask(log.entries))
  }
}

function answer(words: string, id: string | undefined, commands: readonly string[]): AssistantPart[] {
  const rest = (id === undefined ? words : words.replaceAll(COMMANDS, '')).trim()
  const text: AssistantPart[] = rest === '' ? [] : [{ type: 'text', text: rest }]
  if (id === undefined) return text
  return [...text, { type: 'tool-call', toolCallId: id, toolName: 'bash', input: { command: commands.join('\n') } }]
}

function wordsOf(content: unknown): string {
  if (typeof content === 'string') return content
  return objects(content)
    .flatMap((part) => text(part.text) ?? [])
    .join('\n')
}
