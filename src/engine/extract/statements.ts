import {
  callsOf,
  type Item,
  isUserMessage,
  type Message,
  outputText,
  partsOf,
  type Seq,
  type StatementFact,
  textOf,
} from '../../model/types.ts'
import { typedIn } from './text/typed-words.ts'

/** The agent's words, paragraph by paragraph, and what other agents reported to it. */
export function statementsIn(items: readonly Item[]): StatementFact[] {
  return items.flatMap(({ kind, seq, message }): StatementFact[] => {
    if (kind !== 'message') return []
    const report = subAgentReport(message)
    if (report !== undefined)
      return paragraphsOf(report).map((text) => ({ kind: 'reason', seq, text: `A sub-agent: ${text}` }))
    if (message.role !== 'assistant') return []
    const isAnswer = callsOf(message).length === 0
    return paragraphsOf(saidIn(message)).map((text) => ({ kind: isAnswer ? 'answer' : 'reason', seq, text }))
  })
}

/** The most characters of a piece of text: a longer paragraph is divided between its lines. */
const PIECE = 500
const LEAST = 12

function paragraphsOf(text: string): string[] {
  return text
    .split(/\n\s*\n/)
    .flatMap((paragraph) => piecesOf(paragraph.trim()))
    .filter((piece) => piece.length >= LEAST)
}

function piecesOf(paragraph: string): string[] {
  if (paragraph.length <= PIECE) return [paragraph]
  const pieces: string[] = []
  for (const line of paragraph.split('\n')) {
    const last = pieces.at(-1)
    if (last === undefined || last.length + line.length > PIECE) pieces.push(line)
    else pieces[pieces.length - 1] = `${last}\n${line}`
  }
  return pieces
}

/** The agent's words in a message. mini-SWE-agent begins each with `THOUGHT:`; Claude Code writes `NOTHING_SAID` if no answer was wanted. */
function saidIn(message: Message): string {
  const said = textOf(message)
    .trim()
    .replace(/^THOUGHT:\s*/, '')
  return said === NOTHING_SAID ? '' : said
}

const NOTHING_SAID = 'No response requested.'

/** The report of a sub-agent: the result of the call that started it, or a later notice. */
export function subAgentReport(message: Message): string | undefined {
  const text = message.role === 'tool' ? resultText(message) : message.role === 'user' ? noticeText(message) : ''
  return text.length < LEAST_CHARACTERS ? undefined : text
}

/** A shorter text only says that the sub-agent has started. */
const LEAST_CHARACTERS = 200

/** True for a tool that starts another agent. */
export function startsAgent(toolName: string): boolean {
  return STARTS_AGENT.test(toolName)
}

/** The tools of agents that start another one: Claude Code, opencode and Copilot CLI, Codex, Gemini CLI. */
const STARTS_AGENT = /^(?:task|agent|wait_agent|spawn_agent|delegate\w*|codebase_investigator|generalist)$/i

function resultText(message: Message): string {
  const texts = partsOf(message).flatMap((part) =>
    part.type === 'tool-result' && startsAgent(part.toolName) ? [outputText(part.output)] : [],
  )
  return withoutNotes(texts.join('\n'))
}

/** Claude Code reports on a background agent in a separate message. */
function noticeText(message: Message): string {
  const text = textOf(message)
  if (!text.trimStart().startsWith('<task-notification>')) return ''
  const from = text.indexOf('<result>')
  const to = text.lastIndexOf('</result>')
  return from === -1 || to < from ? '' : withoutNotes(text.slice(from + '<result>'.length, to))
}

/** Removes what the client adds for the agent alone. */
function withoutNotes(text: string): string {
  return text
    .replace(/^(?:agentId: |<usage>|Async agent launched)[\s\S]*$/m, '')
    .replace(/<\/?task_(?:result|metadata)>|^task_id: .*$/gm, '')
    .trim()
}

type Utterance = { readonly seq: Seq; readonly text: string }

/** A turn: the request, the agent's texts, and its answer. */
type Turn = {
  readonly seq: Seq
  readonly asked: string
  readonly said: readonly Utterance[]
  /** The agent's last text, if no tool call came after it: the turn was finished. */
  readonly closing?: Utterance
  readonly calls: number
}

/** The turns in some items. Items before the first message of the user belong to a turn without a request. */
export function turnsOf(items: readonly Item[]): Turn[] {
  const turns: OpenTurn[] = []
  for (const item of items) {
    if (item.kind === 'summary') continue
    const asked = isUserMessage(item) ? typedIn(item) : ''
    if (asked !== '') turns.push(turnAt(item.seq, asked))
    if (item.message.role !== 'assistant') continue
    const last = turns.at(-1)
    const turn = last === undefined || isAnswered(last, item.seq) ? turnAt(item.seq, '') : last
    if (turn !== last) turns.push(turn)
    addStep(turn, item.seq, item.message)
  }
  return turns.map(({ closed, ...turn }) => ({ ...turn, ...(closed ? { closing: turn.said.at(-1) } : {}) }))
}

/** True if the agent has answered, and the next entry is not the following one: the request between them stays in the view. */
function isAnswered({ closed, said }: OpenTurn, next: Seq): boolean {
  return closed && next > (said.at(-1)?.seq ?? next) + 1
}

type OpenTurn = { seq: Seq; asked: string; said: Utterance[]; calls: number; closed: boolean }

function turnAt(seq: Seq, asked: string): OpenTurn {
  return { seq, asked, said: [], calls: 0, closed: false }
}

function addStep(turn: OpenTurn, seq: Seq, message: Message): void {
  const text = saidIn(message)
  const calls = callsOf(message).length
  if (text !== '') turn.said.push({ seq, text })
  turn.calls += calls
  turn.closed = text !== '' && calls === 0
}
