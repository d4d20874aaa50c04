import type { IndexDelta, UserFact } from '../../model/facts/log-index.ts'
import { outputText, type ToolCallPart, type ToolResultOutput } from '../../model/message.ts'
import type { AnsweredCall } from './answered-calls.ts'
import { toolFacts } from './calls/tool-facts.ts'
import { withoutClientNotes } from './text/client-notes.ts'
import { remindersOfSent, sentMeanwhile } from './text/sent-meanwhile.ts'
import { typedFacts } from './typed-facts.ts'

/**
 * What the user said in the place of a result: why a call was not allowed, the answer to a question, the word on a plan. Or
 * behind it, while the agent worked.
 */
export function replyFacts({
  call,
  result: { output },
  item,
}: AnsweredCall): Pick<IndexDelta, 'users' | 'constraints'> {
  const replies = repliesIn(output, call)
  if (replies.length === 0) return {}
  const { seq } = item
  const at = item.kind === 'message' && item.at !== undefined ? { at: item.at } : {}
  return {
    users: replies.map(({ kind, text }) => ({ seq, text, reply: kind, to: nameOf(call), ...at })),
    constraints: replies.flatMap((reply) => typedFacts(withoutQuestions(reply), { seq, ...at }).constraints),
  }
}

/** The words of a reply that are the user's own: a question is the agent's. */
function withoutQuestions({ kind, text }: Reply): string {
  return kind === 'answer' ? text.replace(/"(?:[^"\\]|\\.)*"=/g, '') : text
}

type Reply = { readonly kind: NonNullable<UserFact['reply']>; readonly text: string }

function repliesIn(output: ToolResultOutput, { toolName }: ToolCallPart): Reply[] {
  if (output.type === 'execution-denied')
    return output.reason === undefined || output.reason === '' ? [] : [{ kind: 'rejection', text: output.reason }]
  if (output.type !== 'text' && output.type !== 'error-text' && output.type !== 'content') return []
  const whole = outputText(output)
  const text = withoutClientNotes(whole)
  const reply = replyIn(text, toolName)
  const sent = text === whole ? [] : remindersOfSent(whole.slice(text.length)).map((told) => sentMeanwhile(told) ?? '')
  const said = sent.filter((words) => words !== '').join('\n')
  return [...(reply === undefined ? [] : [reply]), ...(said === '' ? [] : [{ kind: 'meanwhile', text: said } as const])]
}

function replyIn(text: string, toolName: string): Reply | undefined {
  const beginning = text.slice(0, OPENING_CHARACTERS)
  const mayReply = FIRST_WORDS.test(beginning)
  for (const { kind, start, end } of mayReply ? REPLIES : []) {
    const opening = start.exec(beginning)
    if (opening === null) continue
    const said = withoutEnding(text.slice(opening[0].length), end).trim()
    if (said !== '') return { kind, text: said }
  }
  const answers = ASKING.test(toolName) ? answersIn(text) : ''
  if (answers !== '') return { kind: 'answer', text: answers }
  const approval = mayReply ? APPROVAL.exec(beginning)?.[1] : undefined
  return approval === undefined ? undefined : { kind: 'approval', text: approval }
}

/** The words of an agent before and behind those of the user are the same every time. */
const OPENING_CHARACTERS = 400

/** One of these begins each of the patterns below: nearly no result does. */
const FIRST_WORDS = /^(?:the user|permission|user has|your questions|plan rejected)/i

/** Agents' words around what the user said, as they write them into the result. What stands between is the user's, whole. */
const REPLIES: readonly { readonly kind: Reply['kind']; readonly start: RegExp; readonly end?: string }[] = [
  {
    kind: 'rejection',
    start:
      /^(?:The user doesn't want to (?:proceed with this tool use|take this action)|Permission for this tool use was denied)[^\n]*the user said:\n/i,
    end: "\n\nNote: The user's next message",
  },
  // opencode
  {
    kind: 'rejection',
    start: /^The user rejected permission to use this specific tool call with the following feedback: /,
  },
  {
    kind: 'answer',
    start: /^User has answered your questions?: /,
    end: " You can now continue with the user's answers in mind",
  },
  {
    kind: 'answer',
    start: /^Your questions have been answered: /,
    end: ' You can now continue with these answers in mind',
  },
  { kind: 'answer', start: /^The user answered: /, end: ' Read the answers carefully' },
  { kind: 'answer', start: /^The user responded: / },
  {
    kind: 'answer',
    start: /^The user asked for more questions before (?:you proceed\. So far they answered: |answering\.)/,
    end: ' Call AskUserQuestion again',
  },
  // qwen-code, Gemini CLI
  { kind: 'answer', start: /^User has provided the following answers:\n/ },
  { kind: 'rejection', start: /^Plan rejected\. User feedback: /, end: '\n\nThe plan is stored at: ' },
]

const ASKING = /^(?:request_user_input|ask_user)/

/** Codex and Gemini CLI give the answers to questions as JSON. */
function answersIn(text: string): string {
  if (!/^\s*\{\s*"answers"\s*:\s*\{/.test(text.slice(0, OPENING_CHARACTERS))) return ''
  const answers = parsedAnswers(text)
  return answers.filter((answer) => answer.trim() !== '').join('\n')
}

function parsedAnswers(text: string): string[] {
  try {
    const { answers } = JSON.parse(text)
    return Object.values(answers).flatMap((answer) => texts(answer))
  } catch {
    return []
  }
}

function texts(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer]
  if (Array.isArray(answer)) return answer.flatMap(texts)
  return typeof answer === 'object' && answer !== null && 'answers' in answer ? texts(answer.answers) : []
}

const APPROVAL = /^User has (approved your plan[^.\n]*)/

/** The text up to the last place where the agent's own words begin again. */
function withoutEnding(text: string, end: string | undefined): string {
  const place = end === undefined ? -1 : text.lastIndexOf(end)
  return place === -1 ? text : text.slice(0, place)
}

/** The tool, and the file or the first words that it was given. */
function nameOf(call: ToolCallPart): string {
  for (const fact of toolFacts(call)) {
    if (fact.kind === 'command') return `${call.toolName} ${fact.command.slice(0, 60)}`
    if (fact.kind === 'read' || fact.kind === 'modified') return `${call.toolName} ${fact.path.split('/').at(-1)}`
  }
  return call.toolName
}
