import { type Message, outputText, partsOf, textOf } from '../../../model/message/message.ts'

/** What another agent reported to the one whose session this is: as the result of the call that started it, or in a notice later. */
export function subAgentReport(message: Message): string | undefined {
  const text = message.role === 'tool' ? resultText(message) : message.role === 'user' ? noticeText(message) : ''
  return text.length < LEAST_CHARACTERS ? undefined : text
}

/** Less is a word that it has begun. */
const LEAST_CHARACTERS = 200

/** The tools of agents that start another one: Claude Code, opencode and Copilot CLI, Codex, Gemini CLI. */
const STARTS_AGENT = /^(?:task|agent|wait_agent|spawn_agent|delegate\w*|codebase_investigator|generalist)$/i

function resultText(message: Message): string {
  const texts = partsOf(message).flatMap((part) =>
    part.type === 'tool-result' && STARTS_AGENT.test(part.toolName) ? [outputText(part.output)] : [],
  )
  return withoutNotes(texts.join('\n'))
}

/** Claude Code tells of an agent that ran beside it in a message of its own. */
function noticeText(message: Message): string {
  const text = textOf(message)
  if (!text.trimStart().startsWith('<task-notification>')) return ''
  const from = text.indexOf('<result>')
  const to = text.lastIndexOf('</result>')
  return from === -1 || to < from ? '' : withoutNotes(text.slice(from + '<result>'.length, to))
}

/** What the program adds for the agent alone. */
function withoutNotes(text: string): string {
  return text
    .replace(/^(?:agentId: |<usage>|Async agent launched)[\s\S]*$/m, '')
    .replace(/<\/?task_(?:result|metadata)>|^task_id: .*$/gm, '')
    .trim()
}
