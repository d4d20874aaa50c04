import type { UserFact } from '../../model/log-index.ts'
import { outputText, type ToolCallPart, type ToolResultOutput } from '../../model/message.ts'
import type { AnsweredCall } from './answered-calls.ts'
import { toolFacts } from './calls/tool-facts.ts'

/** What the user said in the place of a result: why a call was not allowed, the answer to a question, the word on a plan. */
export function replyFacts({ call, result: { output }, item }: AnsweredCall): UserFact[] {
  const reply = replyIn(output)
  if (reply === undefined) return []
  const at = item.kind === 'message' && item.at !== undefined ? { at: item.at } : {}
  return [{ seq: item.seq, text: reply.text, reply: reply.kind, to: nameOf(call), ...at }]
}

type Reply = { readonly kind: NonNullable<UserFact['reply']>; readonly text: string }

function replyIn(output: ToolResultOutput): Reply | undefined {
  if (output.type === 'execution-denied') {
    return output.reason === undefined || output.reason === '' ? undefined : { kind: 'rejection', text: output.reason }
  }
  if (output.type !== 'text' && output.type !== 'error-text' && output.type !== 'content') return undefined
  const text = outputText(output).slice(0, LOOKED_AT)
  for (const [kind, pattern] of PATTERNS) {
    const said = pattern.exec(text)?.[1]?.trim()
    if (said !== undefined && said !== '') return { kind, text: said }
  }
  return undefined
}

const LOOKED_AT = 6_000

/** Claude Code's words for it, as it writes them into the result. */
const PATTERNS: readonly (readonly [Reply['kind'], RegExp])[] = [
  [
    'rejection',
    /^The user doesn't want to (?:proceed with this tool use|take this action)[^\n]*the user said:\n([\s\S]+?)(?:\n\nNote: The user's next message|$)/,
  ],
  [
    'answer',
    /^User has answered your questions?: ([\s\S]+?)(?: You can now continue with the user's answers in mind\.?|$)/,
  ],
  ['approval', /^User has (approved your plan[^.\n]*)/],
]

/** The tool, and the file or the first words that it was given. */
function nameOf(call: ToolCallPart): string {
  for (const fact of toolFacts(call)) {
    if (fact.kind === 'command') return `${call.toolName} ${fact.command.slice(0, 60)}`
    if (fact.kind === 'read' || fact.kind === 'modified') return `${call.toolName} ${fact.path.split('/').at(-1)}`
  }
  return call.toolName
}
