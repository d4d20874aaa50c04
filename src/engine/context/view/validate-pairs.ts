import type { RepairChange } from '../../../model/entry.ts'
import type { Seq } from '../../../model/ids.ts'
import { partsOf } from '../../../model/message/message.ts'
import type { PlacedMessage, ValidateOptions, ValidationProblem } from './validate.ts'

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

/** Every call has exactly one result, in the tool messages right behind it (parallel calls too), and ids are unique. */
export function pairProblems(items: readonly PlacedMessage[], options: ValidateOptions): ValidationProblem[] {
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

/** Of the calls with its id that are left, a result belongs to the nearest one before it, else to one after it. */
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
  const why = `the result ${id} is not behind its call`
  return [
    ...(newId === undefined
      ? []
      : [
          problem('duplicate-call-id', index, part, {
            op: 'rename-call',
            seq,
            part,
            toolCallId: newId,
            why: `its call has a new id`,
          }),
        ]),
    ...(call.step === step
      ? []
      : [problem('misplaced-result', index, part, { op: 'move-result', from: seq, part, seq: call.seq, why })]),
  ]
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
