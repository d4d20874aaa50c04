import { outputText, type ToolCallPart, type ToolResultPart, type UserWords } from '../../model/types.ts'
import { fieldsOf, parsedJson } from './calls/call-outcome.ts'
import { withoutClientNotes } from './text/client-notes.ts'

/**
 * The user's words in the result of a tool that asks them, and their reason for denying a call. Any other tool may print the
 * same phrases from a file or a web page. So the name of the tool decides; the phrases only show where the client's own words end.
 */
export function replyIn({ output }: ToolResultPart, call: ToolCallPart): readonly UserWords[] {
  if (output.type === 'execution-denied')
    return output.reason === undefined || output.reason === '' ? NONE : [{ reply: 'rejection', text: output.reason }]
  if (!asksUser(call) || output.type === 'json' || output.type === 'error-json') return NONE
  const text = withoutClientNotes(outputText(output))
  const beginning = text.slice(0, OPENING_CHARACTERS)
  for (const { reply, start, end } of FRAMES) {
    const opening = start.exec(beginning)
    if (opening === null) continue
    const said = withoutEnding(text.slice(opening[0].length), end).trim()
    if (said === '') return NONE
    return reply === 'answer' ? answersTo(call, said) : [{ reply, text: said }]
  }
  const approval = APPROVAL.exec(beginning)?.[1]
  return approval === undefined ? jsonAnswers(text) : [{ reply: 'approval', text: approval }]
}

const NONE: readonly UserWords[] = []

/** True for a tool that asks the user something. */
export function isAskingTool(name: string): boolean {
  return ASKING_TOOLS.has(name)
}

/** Codex calls a tool of an MCP server by its plain name, and stores the server in another field. */
export function asksUser({ toolName, providerOptions }: ToolCallPart): boolean {
  return isAskingTool(toolName) && providerOptions?.openai?.namespace === undefined
}

/** Claude Code; opencode; Codex; Gemini CLI and Copilot CLI; qwen-code, which also has a tool that ends its plan mode. */
const ASKING_TOOLS: ReadonlySet<string> = new Set([
  'AskUserQuestion',
  'ExitPlanMode',
  'question',
  'request_user_input',
  'ask_user',
  'ask_user_question',
  'exit_plan_mode',
])

/** A client writes the same words before and after those of the user every time. */
const OPENING_CHARACTERS = 400

type Frame = { readonly reply: NonNullable<UserWords['reply']>; readonly start: RegExp; readonly end?: string }

/** How clients begin and end the result of such a tool. */
export const FRAMES: readonly Frame[] = [
  {
    reply: 'answer',
    start: /^User has answered your questions?: /,
    end: " You can now continue with the user's answers in mind",
  },
  {
    reply: 'answer',
    start: /^Your questions have been answered: /,
    end: ' You can now continue with these answers in mind',
  },
  { reply: 'answer', start: /^The user answered: /, end: ' Read the answers carefully' },
  { reply: 'answer', start: /^The user responded: / },
  {
    reply: 'answer',
    start: /^The user asked for more questions before (?:you proceed\. So far they answered: |answering\.)/,
    end: ' Call AskUserQuestion again',
  },
  // qwen-code, Gemini CLI
  { reply: 'answer', start: /^User has provided the following answers:\n/ },
  { reply: 'rejection', start: /^Plan rejected\. User feedback: /, end: '\n\nThe plan is stored at: ' },
]

export const APPROVAL = /^User has (approved your plan[^.\n]*)/

/** The text up to the last place at which the client's own words begin again. */
function withoutEnding(text: string, end: string | undefined): string {
  const place = end === undefined ? -1 : text.lastIndexOf(end)
  return place === -1 ? text : text.slice(0, place)
}

/** The agent's own words, as the call has them: its questions, and the previews of their options. */
function askedIn({ input }: ToolCallPart): { readonly questions: string[]; readonly previews: string[] } {
  const given = typeof input === 'object' && input !== null && 'questions' in input ? input.questions : []
  const asked: readonly Asked[] = Array.isArray(given) ? given : []
  const previews = asked.flatMap(({ options }) => (Array.isArray(options) ? options : []).map((one) => one?.preview))
  return { questions: asked.map(({ question }) => question).filter(isText), previews: previews.filter(isText) }
}

type Asked = { readonly question?: unknown; readonly options?: unknown }

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Clients write `"question"="answer", "question"="answer".` A text without a question is one answer. */
function answersTo(call: ToolCallPart, text: string): UserWords[] {
  const asked = askedIn(call)
  const said = asked.previews.reduce((rest, preview) => rest.replaceAll(`${PREVIEW}\n${preview}`, '"'), text)
  const questions =
    asked.questions.length > 0 ? asked.questions : Array.from(said.matchAll(QUESTION), ([, question = '']) => question)
  const found: { to: string; from: number; start: number }[] = []
  let place = 0
  for (const to of questions) {
    const mark = `"${to}"="`
    const start = said.indexOf(mark, place)
    if (start === -1) continue
    place = start + mark.length
    found.push({ to, from: place, start })
  }
  if (found.length === 0) return [{ reply: 'answer', text: said }]
  return found.map(({ to, from }, i) => ({
    reply: 'answer' as const,
    text: withoutPreview(said.slice(from, found[i + 1]?.start)).replace(/"[.,]?\s*$/, ''),
    to,
  }))
}

/** After a chosen option Claude Code repeats the agent's preview of it. A preview that the call does not have ends the answer. */
const PREVIEW = '" selected preview:'

function withoutPreview(answer: string): string {
  const start = answer.indexOf(PREVIEW)
  return start === -1 ? answer : answer.slice(0, start)
}

const QUESTION = /"((?:[^"\\]|\\.)*)"="/g

/** Codex and Gemini CLI return the answers as JSON. */
function jsonAnswers(text: string): readonly UserWords[] {
  if (!/^\s*\{\s*"answers"\s*:\s*\{/.test(text.slice(0, OPENING_CHARACTERS))) return NONE
  const parsed = fieldsOf(fieldsOf(parsedJson(text))?.answers)
  const answers = Object.values(parsed ?? {})
    .flatMap(texts)
    .filter((answer) => answer.trim() !== '')
    .join('\n')
  return answers === '' ? NONE : [{ reply: 'answer', text: answers }]
}

function texts(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer]
  if (Array.isArray(answer)) return answer.flatMap(texts)
  return typeof answer === 'object' && answer !== null && 'answers' in answer ? texts(answer.answers) : []
}
