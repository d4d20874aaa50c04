import { atOnce, mapSteps, type Steps } from '../../model/steps.ts'
import { oneLine } from '../../model/text.ts'
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
import {
  informativeParts,
  informativeText,
  isEmptyTalk,
  LEAST_REASON,
  mayDecide,
  plain,
  reasonScore,
  sentencesOf,
} from './text/sentences.ts'
import { typedIn } from './text/typed-words.ts'

/** The agent's statements that matter after their turn: its answer in each turn, and the reasons it gave meanwhile. */
export function statementsIn(items: readonly Item[]): StatementFact[] {
  return atOnce(statementsSteps(items))
}

/** The same in steps. */
export function* statementsSteps(items: readonly Item[]): Steps<StatementFact[]> {
  const turns = turnsOf(items)
  yield
  const own = yield* mapSteps(turns, (turn, i) => {
    const answer = turn.closing ?? (i < turns.length - 1 ? longText(turn) : undefined)
    return [...reasonsOf(turn, answer), ...answerOf(turn, answer)]
  })
  const others = subAgentReports(items)
  return others.length === 0 ? own.flat() : [...own.flat(), ...others].toSorted((a, b) => a.seq - b.seq)
}

/** The reports of other agents: this agent did not repeat them in its own words. */
function subAgentReports(items: readonly Item[]): StatementFact[] {
  return items.flatMap(({ kind, seq, message }) => {
    const report = kind === 'message' ? subAgentReport(message) : undefined
    if (report === undefined) return []
    const text = informativeText(condensed(report.slice(0, LOOKED_AT)), SUB_AGENT_CHARACTERS)
    return [{ kind: 'answer', seq, text: `A sub-agent: ${text}` }]
  })
}

const SUB_AGENT_CHARACTERS = 700

/** If the user wrote again while the agent was still working, its last long text counts as its answer. */
function longText({ said }: DigestTurn): Utterance | undefined {
  return said.findLast(({ text }) => text.length >= LONG_TEXT)
}

const LONG_TEXT = 250

function answerOf({ asked, seq }: DigestTurn, closing: Utterance | undefined): StatementFact[] {
  if (closing === undefined) return []
  const text = condensed(closing.text).replace(PRAISE, '')
  return text === '' ? [] : [{ kind: 'answer', seq: closing.seq, text, asked: asked === '' ? undefined : seq }]
}

/** Empty words with which many answers begin. */
const PRAISE =
  /^(?:(?:perfect|great|excellent|done|good|fixed|awesome|yes|ok|okay|got it|alright|all done)[!.,]+\s+)+(?=\S)/i

/** The most sentences of one text: one long report must not displace everything else. */
const MOST_OF_ONE = 3
/** Reasoning is wordier than an answer, so fewer of its sentences are used. */
const MOST_THOUGHT = 1

function reasonsOf(turn: DigestTurn, answer: Utterance | undefined): StatementFact[] {
  const said = turn.said.filter((one) => one !== answer).flatMap((one) => best(one, MOST_OF_ONE, LEAST_REASON))
  const thought = turn.thought.flatMap((one) => (mayDecide(one.text) ? best(one, MOST_THOUGHT, LEAST_REASON + 1) : []))
  return [...said, ...thought].toSorted((a, b) => a.seq - b.seq)
}

function best({ seq, text }: Utterance, most: number, least: number): StatementFact[] {
  const scored = sentencesOf(text.slice(0, LOOKED_AT)).map((sentence, i) => ({
    i,
    sentence,
    score: reasonScore(sentence),
  }))
  return scored
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most)
    .toSorted((a, b) => a.i - b.i)
    .map(({ sentence }) => ({ kind: 'reason', seq, text: plain(sentence) }))
}

const LOOKED_AT = 20_000

/** The most characters of an answer. A longer answer keeps its beginning, its findings and its end. */
const ANSWER_CHARACTERS = 1_400

function condensed(text: string): string {
  const parts = reportParts(text).map(ended)
  // Nothing in it looks like a sentence, but it is the last text of a turn.
  if (parts.length === 0) return oneLine(text, ANSWER_CHARACTERS / 2)
  const whole = joined(parts)
  if (whole.length <= ANSWER_CHARACTERS) return whole
  const from = parts.findIndex((part) => part.length >= 12 && !isEmptyTalk(part))
  return oneLine(joined([informativeParts(parts.slice(Math.max(0, from)), ANSWER_CHARACTERS)]), ANSWER_CHARACTERS)
}

/** An item of a list has no full stop, so it needs a separator before the next. */
function ended(part: string): string {
  return part === '' || /[.!?:;,。！？]$/.test(part) ? part : `${part};`
}

function joined(parts: readonly string[]): string {
  return parts.join(' ').replace(/\s+/g, ' ').replace(/;$/, '').trim()
}

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

/** The parts of an agent's report: sentences and list items, rows of tables, and short pieces of code. Headings are left out. */
export function reportParts(text: string): string[] {
  return blocksOf(text).flatMap(({ kind, lines }) => {
    if (kind === 'code') return codePart(lines)
    if (kind === 'table') return tableRows(lines)
    return sentencesOf(lines.filter((line) => !/^#{1,6} /.test(line)).join('\n')).map(plain)
  })
}

type TextBlock = { readonly kind: 'prose' | 'code' | 'table'; readonly lines: string[] }

function blocksOf(text: string): TextBlock[] {
  const blocks: TextBlock[] = []
  let inCode = false
  for (const line of text.split('\n')) {
    const trimmed = line.trim()
    if (trimmed.startsWith('```')) {
      inCode = !inCode
      blocks.push({ kind: inCode ? 'code' : 'prose', lines: [] })
      continue
    }
    const kind = inCode ? 'code' : trimmed.startsWith('|') ? 'table' : 'prose'
    const last = blocks.at(-1)
    if (last?.kind === kind) last.lines.push(trimmed)
    else blocks.push({ kind, lines: [trimmed] })
  }
  return blocks
}

/** A command or a line of code is more useful than the words around it. A longer block is an example or a drawing. */
const CODE_CHARACTERS = 240

function codePart(lines: readonly string[]): string[] {
  const code = lines.filter((line) => line !== '').join(' ')
  return code === '' || code.length > CODE_CHARACTERS || code.includes('`') ? [] : [`\`${code}\``]
}

/** Rows as `first: second, third`, without the header row. */
function tableRows(lines: readonly string[]): string[] {
  const rule = lines.findIndex((line) => /^\|[\s:|-]+\|?$/.test(line))
  return lines.slice(rule + 1).flatMap((line) => {
    const [first = '', ...others] = cellsOf(line)
    const rest = others.filter((cell) => cell !== '').join(', ')
    return first === '' && rest === '' ? [] : [rest === '' ? first : `${first}: ${rest}`]
  })
}

function cellsOf(line: string): string[] {
  return line
    .replace(/^\||\|$/g, '')
    .split('|')
    .map((cell) => plain(cell.trim()))
}

type Utterance = { readonly seq: Seq; readonly text: string }

/** A turn for a digest: the request, the agent's texts and reasoning, and its answer. */
export type DigestTurn = {
  readonly seq: Seq
  readonly asked: string
  readonly said: readonly Utterance[]
  readonly thought: readonly Utterance[]
  /** The agent's last text, if no tool call came after it: the turn was finished. */
  readonly closing?: Utterance
  readonly calls: number
}

/** The turns in some items. Items before the first message of the user belong to a turn without a request. */
export function turnsOf(items: readonly Item[]): DigestTurn[] {
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

type OpenTurn = { seq: Seq; asked: string; said: Utterance[]; thought: Utterance[]; calls: number; closed: boolean }

function turnAt(seq: Seq, asked: string): OpenTurn {
  return { seq, asked, said: [], thought: [], calls: 0, closed: false }
}

/** Claude Code writes this if no answer was wanted. */
const NOTHING_SAID = 'No response requested.'

function addStep(turn: OpenTurn, seq: Seq, message: Message): void {
  // mini-SWE-agent begins each message so.
  const said = textOf(message)
    .trim()
    .replace(/^THOUGHT:\s*/, '')
  const text = said === NOTHING_SAID ? '' : said
  const thought = partsOf(message).flatMap((part) => (part.type === 'reasoning' ? [part.text] : []))
  const calls = callsOf(message).length
  if (text !== '') turn.said.push({ seq, text })
  if (thought.length > 0) turn.thought.push({ seq, text: thought.join('\n') })
  turn.calls += calls
  turn.closed = text !== '' && calls === 0
}
