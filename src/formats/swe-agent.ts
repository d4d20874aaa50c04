import type { Message } from '../model/message.ts'
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

const COMMAND = /```(?:bash|sh|mswea_bash_command)\s*\n([\s\S]*?)\n?```/

function addCommands({ log }: Draft, messages: readonly Fields[]): void {
  let open: string | undefined
  for (const [i, message] of messages.entries()) {
    const words =
      typeof message.content === 'string'
        ? message.content
        : objects(message.content)
            .flatMap((part) => text(part.text) ?? [])
            .join('\n')
    if (message.role === 'system') log.system.push(words)
    else if (message.role === 'assistant') {
      const command = COMMAND.exec(words)
      if (command !== null) log.recordedCalls++
      open = command === null ? undefined : `call-${i}`
      const call = {
        type: 'tool-call' as const,
        toolCallId: open ?? '',
        toolName: 'bash',
        input: { command: command?.[1] ?? '' },
      }
      const said = command === null ? words : words.replace(command[0], () => '').trim()
      log.say({
        role: 'assistant',
        content: [
          ...(said === '' ? [] : [{ type: 'text' as const, text: said }]),
          ...(open === undefined ? [] : [call]),
        ],
      })
    } else if (open !== undefined) {
      log.result(open, textOutput(words))
      open = undefined
    } else log.say({ role: 'user', content: words })
  }
}
