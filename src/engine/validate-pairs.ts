import type { Change } from '../model/entry.ts'
import type { Seq } from '../model/ids.ts'
import { partsOf, type ToolCallPart } from '../model/message.ts'
import type { Placed, Problem, ValidateOptions } from './validate.ts'

type Call = {
  id: string
  newId: string | undefined
  name: string
  index: number
  seq: Seq
  step: number
  answered: boolean
}
type Result = { id: string; index: number; part: number; seq: Seq; step: number; inline: boolean }

/** Every call has exactly one result, in the tool messages right behind it (parallel calls too), and ids are unique. */
export function pairProblems(items: readonly Placed[], options: ValidateOptions): Problem[] {
  const problems: Problem[] = []
  const calls = new Map<string, Call[]>()
  const results: Result[] = []
  const taken = new Set<string>()
  let step = 0
  for (const [index, { seq, message }] of items.entries()) {
    if (message.role !== 'tool') step++
    for (const [part, content] of partsOf(message).entries()) {
      if (content.type === 'tool-call') problems.push(...addCall(content, { seq, index, part, step }))
      if (content.type === 'tool-result') {
        results.push({ id: content.toolCallId, index, part, seq, step, inline: message.role === 'assistant' })
      }
    }
  }
  for (const result of results) problems.push(...matchResult(result, calls.get(result.id) ?? []))
  for (const call of [...calls.values()].flat()) {
    if (call.answered || (options.pending === 'allowed' && call.step === step)) continue
    const why = `the call ${call.id} has no result`
    const toolCallId = call.newId ?? call.id
    const fix: Change = { op: 'add-result', seq: call.seq, toolCallId, toolName: call.name, why }
    problems.push({ rule: 'missing-result', index: call.index, text: why, fixes: [fix] })
  }
  return problems

  function addCall(part: ToolCallPart, at: { seq: Seq; index: number; part: number; step: number }): Problem[] {
    const same = calls.get(part.toolCallId) ?? []
    const newId = taken.has(part.toolCallId) ? unusedId(part.toolCallId, taken) : undefined
    taken.add(newId ?? part.toolCallId)
    const { seq, index, step } = at
    // The provider ran it: its result may come in any later message, or not be told at all.
    const answered = part.providerExecuted === true
    calls.set(part.toolCallId, [
      ...same,
      { id: part.toolCallId, newId, name: part.toolName, index, seq, step, answered },
    ])
    if (newId === undefined) return []
    const why = `the call id ${part.toolCallId} is used twice`
    const fix: Change = { op: 'rename-call', seq, part: at.part, toolCallId: newId, why }
    return [{ rule: 'duplicate-call-id', index, part: at.part, text: why, fixes: [fix] }]
  }
}

/** The result belongs to a call of its own step, else to the nearest earlier one that has no result yet. */
function matchResult(result: Result, calls: readonly Call[]): Problem[] {
  const { seq, part, index } = result
  const near = calls.filter((call) => call.step === result.step)
  const call =
    near.find((candidate) => !candidate.answered) ?? calls.findLast((c) => !c.answered && c.step < result.step)
  if (call === undefined) {
    if (result.inline && calls.length > 0) return []
    const rule = calls.length > 0 ? 'duplicate-result' : 'orphan-result'
    const why = calls.length > 0 ? `a second result for ${result.id}` : `the result ${result.id} has no call`
    return [{ rule, index, part, text: why, fixes: [{ op: 'drop-part', seq, part, why }] }]
  }
  call.answered = true
  const fixes: Change[] = []
  const why = `the result ${result.id} is not behind its call`
  if (call.newId !== undefined) {
    fixes.push({ op: 'rename-call', seq, part, toolCallId: call.newId, why: 'its call has a new id' })
  }
  if (call.step === result.step) {
    return fixes.length === 0 ? [] : [{ rule: 'duplicate-call-id', index, part, text: fixes[0]?.why ?? why, fixes }]
  }
  fixes.push({ op: 'move-result', from: seq, part, seq: call.seq, why })
  return [{ rule: 'misplaced-result', index, part, text: why, fixes }]
}

function unusedId(id: string, taken: ReadonlySet<string>): string {
  for (let n = 2; ; n++) {
    const candidate = `${id}_${n}`
    if (!taken.has(candidate)) return candidate
  }
}
