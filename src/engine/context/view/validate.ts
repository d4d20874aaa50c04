import { isPlainlyValid, noCalls } from '../../../model/items.ts'
import { type Message, type Part, partsOf, type RepairChange, type Seq } from '../../../model/types.ts'
import { opensRequest } from './request.ts'

/** A rule of the providers that a message list breaks. */
export type ValidationRule =
  | 'first-message'
  | 'system-inside'
  | 'empty-content'
  | 'lonely-reasoning'
  | 'missing-result'
  | 'orphan-result'
  | 'misplaced-result'
  | 'duplicate-result'
  | 'duplicate-call-id'

/** A broken rule, its place, and the steps that fix it. Without steps, rendering the request fixes it. */
export type ValidationProblem = {
  readonly rule: ValidationRule
  readonly index: number
  readonly part?: number
  readonly text: string
  readonly fixes: readonly RepairChange[]
}

/** `pending: 'allowed'`: the calls of the last step may still wait for their results. */
export type ValidateOptions = { readonly pending?: 'allowed' | 'refused' }

export type PlacedMessage = { readonly seq: Seq; readonly message: Message }

/** Checks a message list against the rules of all providers. An empty result means valid. */
export function validate(messages: readonly Message[], options: ValidateOptions = {}): ValidationProblem[] {
  const placed = messages.map((message, seq) => ({ seq, message }))
  return [...firstMessage(messages), ...problemsOf(placed, options)]
}

/** The problems inside a list of items. The first message is not checked: rendering the request takes care of it. */
export function problemsOf(items: readonly PlacedMessage[], options: ValidateOptions = {}): ValidationProblem[] {
  return plainlyValid(items, options) ? [] : problemsByRule(items, options)
}

/** The same problems, found one rule after the other. */
export function problemsByRule(items: readonly PlacedMessage[], options: ValidateOptions): ValidationProblem[] {
  return [...items.flatMap(contentProblems), ...lonelyReasoning(items), ...pairProblems(items, options)]
}

function firstMessage(messages: readonly Message[]): ValidationProblem[] {
  const first = messages[0]
  const problems: ValidationProblem[] = messages.flatMap((message, index) =>
    message.role === 'system'
      ? [{ rule: 'system-inside', index, text: 'a system message inside the conversation', fixes: [] }]
      : [],
  )
  if (first !== undefined && !opensRequest(first)) {
    problems.unshift({ rule: 'first-message', index: 0, text: `the first message is ${first.role}'s`, fixes: [] })
  }
  return problems
}

function contentProblems({ seq, message }: PlacedMessage, index: number): ValidationProblem[] {
  const parts = partsOf(message)
  const empty = parts.flatMap((part, i) => (isEmpty(part) ? [i] : []))
  if (empty.length === parts.length) {
    const why = 'the message is empty'
    return [{ rule: 'empty-content', index, text: why, fixes: [{ op: 'drop-message', seq, why }] }]
  }
  return empty.map((part) =>
    problem('empty-content', index, part, { op: 'drop-part', seq, part, why: 'the part is empty' }),
  )
}

/** Providers refuse a text that is only white space. Reasoning without text may carry a signature. */
function isEmpty(part: Part): boolean {
  if (part.type === 'text') return part.text.trim() === ''
  return part.type === 'reasoning' && part.text.trim() === '' && part.providerOptions === undefined
}

/** Providers refuse reasoning at the end of a step. Its signature covers all of it, so it is dropped whole. */
function lonelyReasoning(items: readonly PlacedMessage[]): ValidationProblem[] {
  return items.flatMap(({ seq, message }, index): ValidationProblem[] => {
    if (items[index + 1]?.message.role === 'assistant') return []
    const parts = partsOf(message)
    const lastContent = parts.findLastIndex((part) => part.type !== 'reasoning' && !isEmpty(part))
    const trailing = parts.flatMap((part, i) =>
      i > lastContent && part.type === 'reasoning' && !isEmpty(part) ? [i] : [],
    )
    if (trailing.length === 0) return []
    const why = 'reasoning with nothing after it'
    const fixes: RepairChange[] =
      lastContent === -1
        ? [{ op: 'drop-message', seq, why }]
        : trailing.map((part) => ({ op: 'drop-part', seq, part, why }))
    return [{ rule: 'lonely-reasoning', index, text: why, fixes }]
  })
}

/** A quick check in one pass, because nearly every list is valid. False only means that the rules have to be checked one by one. */
export function plainlyValid(items: readonly PlacedMessage[], { pending }: ValidateOptions): boolean {
  const calls = noCalls()
  return (
    items.every(({ message }) => isPlainlyValid(message, calls)) && (calls.open.size === 0 || pending === 'allowed')
  )
}

type Call = {
  id: string
  newId?: string
  name: string
  index: number
  part: number
  seq: Seq
  step: number
  open: boolean
}
type Result = { id: string; index: number; part: number; seq: Seq; step: number; inline: boolean; call?: Call }

/** Every call has exactly one result, in the tool messages right after it (parallel calls too), and ids are unique. */
function pairProblems(items: readonly PlacedMessage[], options: ValidateOptions): ValidationProblem[] {
  const { calls, results, lastStep } = collect(items)
  const known = new Set(calls.map((call) => call.id))
  matchInStep(calls, results)
  const lost = Map.groupBy(
    results.filter((result) => result.call === undefined),
    (result) => result.id,
  )
  const open = Map.groupBy(
    calls.filter((call) => call.open),
    (call) => call.id,
  )
  for (const [id, same] of lost) matchAcrossSteps(open.get(id) ?? [], same)
  return [
    ...calls.flatMap(renamed),
    ...results.flatMap((result) => resultProblems(result, known.has(result.id))),
    ...calls.filter((call) => call.open && !(options.pending === 'allowed' && call.step === lastStep)).map(unanswered),
  ]
}

function collect(items: readonly PlacedMessage[]): { calls: Call[]; results: Result[]; lastStep: number } {
  const calls: Call[] = []
  const results: Result[] = []
  const taken = new Set<string>()
  const uses = new Map<string, number>()
  let step = 0
  for (const [index, { seq, message }] of items.entries()) {
    if (message.role !== 'tool') step++
    for (const [part, content] of partsOf(message).entries()) {
      if (content.type === 'tool-call') {
        const id = content.toolCallId
        const newId = taken.has(id) ? unusedId(id, taken, uses) : undefined
        taken.add(newId ?? id)
        // The provider ran this call: its result may come in any later message, or never.
        const open = content.providerExecuted !== true
        calls.push({ id, newId, name: content.toolName, index, part, seq, step, open })
      }
      if (content.type === 'tool-result') {
        results.push({ id: content.toolCallId, index, part, seq, step, inline: message.role === 'assistant' })
      }
    }
  }
  return { calls, results, lastStep: step }
}

/** A result belongs to a call of its own step with its id. */
function matchInStep(calls: readonly Call[], results: readonly Result[]): void {
  const key = ({ id, step }: { id: string; step: number }) => `${step} ${id}`
  const open = Map.groupBy(
    calls.filter((call) => call.open),
    key,
  )
  for (const result of results) pair(open.get(key(result))?.shift(), result)
}

/** A result belongs to the nearest remaining call with its id before it, or else to one after it. */
function matchAcrossSteps(calls: readonly Call[], results: readonly Result[]): void {
  const before: Call[] = []
  const after = calls.toReversed()
  for (const result of results) {
    while ((after.at(-1)?.step ?? Number.POSITIVE_INFINITY) < result.step) before.push(after.pop() as Call)
    pair(before.pop(), result)
  }
  const left = [...before, ...after.toReversed()]
  for (const result of results) if (result.call === undefined) pair(left.shift(), result)
}

function pair(call: Call | undefined, result: Result): void {
  if (call === undefined) return
  call.open = false
  result.call = call
}

function renamed({ id, newId, seq, index, part }: Call): ValidationProblem[] {
  if (newId === undefined) return []
  const why = `the call id ${id} is used twice`
  return [problem('duplicate-call-id', index, part, { op: 'rename-call', seq, part, toolCallId: newId, why })]
}

function resultProblems({ id, index, part, seq, step, inline, call }: Result, known: boolean): ValidationProblem[] {
  if (call === undefined) {
    // Providers may report a call that they ran themselves twice.
    if (inline && known) return []
    const why = known ? `a second result for ${id}` : `the result ${id} has no call`
    return [problem(known ? 'duplicate-result' : 'orphan-result', index, part, { op: 'drop-part', seq, part, why })]
  }
  const { newId } = call
  const problems: ValidationProblem[] = []
  if (newId !== undefined) {
    const why = 'its call has a new id'
    problems.push(problem('duplicate-call-id', index, part, { op: 'rename-call', seq, part, toolCallId: newId, why }))
  }
  if (call.step !== step) {
    const why = `the result ${id} is not right after its call`
    problems.push(problem('misplaced-result', index, part, { op: 'move-result', from: seq, part, seq: call.seq, why }))
  }
  return problems
}

function unanswered({ id, newId, name, index, part, seq }: Call): ValidationProblem {
  const why = `the call ${id} has no result`
  return problem('missing-result', index, part, { op: 'add-result', seq, toolCallId: newId ?? id, toolName: name, why })
}

function problem(rule: ValidationProblem['rule'], index: number, part: number, fix: RepairChange): ValidationProblem {
  return { rule, index, part, text: fix.why, fixes: [fix] }
}

function unusedId(id: string, taken: ReadonlySet<string>, uses: Map<string, number>): string {
  for (let n = uses.get(id) ?? 2; ; n++) {
    uses.set(id, n + 1)
    const candidate = `${id}_${n}`
    if (!taken.has(candidate)) return candidate
  }
}
