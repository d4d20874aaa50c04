import { type Message, textOf } from '../../model/types.ts'
import { messageTokens } from '../../tokens/estimate/estimator.ts'
import { featureEstimator } from '../../tokens/estimate/feature-estimator.ts'
import { type ExactKind, exactNames } from './names.ts'
import { neededLater } from './needed.ts'
import { constraintsIn, personText } from './prompts.ts'
import { type StepOutcome, type ToolStep, toolSteps } from './steps.ts'
import { lastTodos } from './todos.ts'
import { commandOf, editedBy, isLonger, readBy } from './tools.ts'

/** A message with its place in the log. */
export type LogMessage = { readonly seq: number; readonly message: Message }

/** The messages that the questions are about, and what followed. */
export type AskedSpan = { readonly span: readonly LogMessage[]; readonly after: readonly Message[] }

/** The kinds of facts about a span, in the order of the tables. */
export const FACT_KINDS = [
  'edited file',
  'read file',
  'command',
  'error line',
  'identifier',
  'url',
  'version',
  'hash',
  'user message',
  'constraint',
  'to-do',
  'last request',
  'used later',
] as const
export type FactKind = (typeof FACT_KINDS)[number]

/** One thing that was true at the cut, and where it was last seen. */
export type Fact = {
  readonly kind: FactKind
  /** Has to be in the context letter for letter, except for white space. */
  readonly text: string
  readonly seq: number
  /** The quarter of the span in which it was last seen, by tokens: 1 is the oldest. */
  readonly age: 1 | 2 | 3 | 4
  /** How the last run of a command ended, or the last state of a to-do. */
  readonly status?: string
  /** An earlier state. */
  readonly was?: string
  /** The text is only the beginning of a command. */
  readonly isBeginning?: true
}

/** All facts of a span. */
export function askedFacts(cut: AskedSpan): Fact[] {
  const messages = cut.span.map(({ message }) => message)
  const steps = toolSteps(messages)
  const at = placesOf(cut.span)
  const fact = (kind: FactKind, [text, found]: readonly [string, LastSeen]): Fact => ({
    kind,
    text,
    ...at(found.message),
    ...found.state,
  })
  const all = (kind: FactKind, found: ReadonlyMap<string, LastSeen>) => [...found].map((one) => fact(kind, one))
  const edited = collected(steps, editedBy)
  const read = collected(steps, readBy)
  for (const path of edited.keys()) read.delete(path)
  const prompts = saidIn(cut.span, (message) => [personText(message).slice(0, PROMPT_CHARACTERS)])
  prompts.delete('')
  const last = [...prompts].slice(-1)
  const todos = lastTodos(steps)
  return [
    ...all('edited file', edited),
    ...all('read file', read),
    ...all('command', commandsIn(steps)),
    ...all('error line', errorsIn(steps)),
    ...(['identifier', 'url', 'version', 'hash'] as const).flatMap((kind) =>
      all(kind, saidNames(kind, cut.span, steps)),
    ),
    ...all('user message', prompts),
    ...all(
      'constraint',
      saidIn(cut.span, (message) => constraintsIn(typedText(message))),
    ),
    ...todos.items.map(({ text, status }) => fact('to-do', [text, { message: todos.message, state: { status } }])),
    ...last.map((one) => fact('last request', one)),
    ...all('used later', neededLater(messages, cut.after)),
  ]
}

/** Where something was last seen, and in which state. */
export type LastSeen = { readonly message: number; readonly state?: Pick<Fact, 'status' | 'was' | 'isBeginning'> }

function placesOf(span: readonly LogMessage[]): (message: number) => Pick<Fact, 'seq' | 'age'> {
  const sizes = span.map(({ message }) => messageTokens(message, featureEstimator))
  const whole = sizes.reduce((sum, tokens) => sum + tokens, 0) || 1
  let sum = 0
  const ages = sizes.map((tokens) => {
    const share = sum / whole
    sum += tokens
    return share < 0.25 ? 1 : share < 0.5 ? 2 : share < 0.75 ? 3 : 4
  })
  return (message) => ({ seq: span[message]?.seq ?? 0, age: ages[message] ?? 4 })
}

function collected(steps: readonly ToolStep[], find: (step: ToolStep) => readonly string[]): Map<string, LastSeen> {
  return new Map(steps.flatMap((step) => find(step).map((text) => [text, { message: step.message }] as const)))
}

/**
 * The first line of each command with how its last run ended, and how an earlier run ended if that was different. A beginning
 * that several commands share is not asked about: it has no end of its own.
 */
function commandsIn(steps: readonly ToolStep[]): Map<string, LastSeen> {
  const found = new Map<string, LastSeen>()
  const whole = new Map<string, string>()
  const shared = new Set<string>()
  for (const step of steps) {
    const command = commandOf(step)
    if (command === undefined || step.outcome === 'unknown') continue
    const key = command.slice(0, COMMAND_CHARACTERS)
    const text = JSON.stringify(step.input)
    if (text !== (whole.get(key) ?? text) && isCut(command, step)) shared.add(key)
    whole.set(key, text)
    const before = found.get(key)?.state
    const was = ([before?.status, before?.was] as readonly (StepOutcome | string | undefined)[]).find(
      (status) => status !== undefined && status !== step.outcome,
    )
    const isBeginning = isCut(command, step) ? { isBeginning: true as const } : {}
    const state = { status: step.outcome, ...(was === undefined ? {} : { was }), ...isBeginning }
    found.set(key, { message: step.message, state })
  }
  for (const key of shared) found.delete(key)
  return found
}

function isCut(command: string, step: ToolStep): boolean {
  return command.length > COMMAND_CHARACTERS || isLonger(step)
}

const COMMAND_CHARACTERS = 80

/** The first line of a failed result that looks like an error. The lines that an agent puts around its results do not count. */
function errorsIn(steps: readonly ToolStep[]): Map<string, LastSeen> {
  return collected(steps, ({ outcome, output }) => {
    if (outcome !== 'failed' || output === undefined) return []
    const lines = output.split('\n').map((line) => line.trim())
    const line = lines.find((one) => one.length >= 12 && ERROR.test(one) && !FRAME.test(one))
    return line === undefined ? [] : [line.slice(0, ERROR_CHARACTERS)]
  })
}

const ERROR =
  /\b(?:\w*error\w*|\w*exception|fatal|panic|fail(?:ed|ure)?|cannot|can't|not found|no such|undefined|denied|invalid|unable)\b/i
const FRAME =
  /^(?:<tool_use_error>Sibling|Sibling tool call|The user doesn't want|Command exited with|Exit code|Process exited)/
const ERROR_CHARACTERS = 60

/** Names in the words of a person or the agent, and in commands. Names that are only in tool output do not count: nobody said them. */
function saidNames(kind: ExactKind, span: readonly LogMessage[], steps: readonly ToolStep[]): Map<string, LastSeen> {
  const found = new Map<string, LastSeen>()
  const times = new Map<string, number>()
  const typed = new Set<string>()
  for (const [i, { message }] of span.entries())
    for (const name of exactNames(kind, message.role === 'assistant' ? textOf(message) : typedText(message))) {
      found.set(name, { message: i })
      times.set(name, (times.get(name) ?? 0) + 1)
      if (message.role === 'user') typed.add(name)
    }
  if (kind !== 'identifier') {
    for (const step of steps)
      for (const name of exactNames(kind, commandOf(step) ?? '')) found.set(name, { message: step.message })
    return found
  }
  // An identifier that nobody said twice is a detail of its place.
  return new Map([...found].filter(([name]) => typed.has(name) || (times.get(name) ?? 0) > 1))
}

const PROMPT_CHARACTERS = 1_000

/** The words of a person, without the end of what is too long to be typed. */
function typedText(message: Message): string {
  return personText(message).slice(0, 20_000)
}

function saidIn(span: readonly LogMessage[], find: (message: Message) => readonly string[]): Map<string, LastSeen> {
  return new Map(span.flatMap(({ message }, i) => find(message).map((text) => [text, { message: i }] as const)))
}
