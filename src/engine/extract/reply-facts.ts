import type { IndexDelta } from '../../model/facts/log-index.ts'
import { resultsOf, type ToolCallPart } from '../../model/message/message.ts'
import type { UserWords } from '../../model/message/user-words.ts'
import { oneLine } from '../../model/text/one-line.ts'
import type { AnsweredCall } from './answered-calls.ts'
import { replyIn } from './asking-tools.ts'
import { toolFacts } from './calls/tool-facts.ts'
import { typedFacts } from './typed-facts.ts'

/** What the user said instead of a result: why a call was not allowed, the answer to a question, their decision on a plan. */
export function replyFacts(answered: AnsweredCall): Pick<IndexDelta, 'users' | 'constraints'> {
  const replies = repliesOf(answered)
  if (replies.length === 0) return {}
  const { call, item } = answered
  const { seq } = item
  const at = item.kind === 'message' && item.at !== undefined ? { at: item.at } : {}
  return {
    users: replies.map(({ text, reply, to }) => ({
      seq,
      text,
      reply,
      to: to === undefined ? nameOf(call) : oneLine(to, QUESTION_CHARACTERS),
      ...at,
    })),
    constraints: replies.flatMap(({ text }) => typedFacts(text, { seq, ...at }).constraints),
  }
}

const QUESTION_CHARACTERS = 200

/** Words that a reader has stored belong to the first result of their message: readers make a message of each result. */
function repliesOf({ call, result, item }: AnsweredCall): readonly UserWords[] {
  if (item.kind !== 'message' || item.userWords === undefined) return replyIn(result, call)
  return resultsOf(item.message)[0] === result ? item.userWords.filter(({ reply }) => reply !== undefined) : []
}

/** The tool, and the file or the first words that it was given. */
function nameOf(call: ToolCallPart): string {
  for (const fact of toolFacts(call)) {
    if (fact.kind === 'command') return `${call.toolName} ${fact.command.slice(0, 60)}`
    if (fact.kind === 'read' || fact.kind === 'modified') return `${call.toolName} ${fact.path.split('/').at(-1)}`
  }
  return call.toolName
}
