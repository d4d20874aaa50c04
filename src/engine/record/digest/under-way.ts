import { clip, handle, oneLine } from '../../../model/text.ts'
import { callsOf, type Item, jsonText, outputText, resultsOf } from '../../../model/types.ts'
import type { DigestTurn } from '../../extract/statements.ts'
import type { Snippet } from './render-within.ts'

/** The words that the lines about an unfinished turn begin with. */
export const UNDER_WAY = { work: 'The work on the request', said: 'Said last' } as const

/** The state of an unfinished turn: the agent's last message and its last steps. Empty if the messages after the record continue it. */
export function underWay(turn: DigestTurn | undefined, items: readonly Item[], tail: readonly Item[]): Snippet[] {
  if (turn === undefined || turn.closing !== undefined || turn.calls === 0) return []
  const said = turn.said.at(-1)
  const steps = tail.length > 0 ? [] : lastSteps(items, 4)
  const asked = turn.asked === '' ? '' : ` ${handle(turn.seq)}`
  const lines: ((level: number) => string)[] = [
    () => `${UNDER_WAY.work}${asked} is under way: ${turn.calls} tool ${turn.calls === 1 ? 'call' : 'calls'} so far.`,
    ...(said === undefined
      ? []
      : [(level: number) => `${UNDER_WAY.said} (${handle(said.seq)}): ${clip(said.text, 600 - 100 * level)}`]),
    ...steps.map((step) => (level: number) => (level === 0 ? step : clip(step, 260 - 40 * level))),
  ]
  return lines.map((render, i) => ({ render, priority: i }))
}

/** The last tool calls of some items with the beginning of what came back: to show how far the work got. */
export function lastSteps(items: readonly Item[], count: number): string[] {
  const outputs = new Map<string, string>()
  const steps: string[] = []
  for (let i = items.length - 1; i >= 0 && steps.length < count; i--) {
    const item = items[i]
    if (item === undefined || item.kind === 'summary') break
    for (const result of resultsOf(item.message)) outputs.set(result.toolCallId, outputText(result.output))
    for (const call of callsOf(item.message).toReversed()) {
      if (steps.length >= count) break
      const output = outputs.get(call.toolCallId)
      const came = output === undefined || output.trim() === '' ? '' : ` → ${oneLine(output, 120)}`
      steps.push(`- ${handle(item.seq)} ${oneLine(call.toolName, 80)}(${oneLine(jsonText(call.input), 140)})${came}`)
    }
  }
  return steps.length === 0 ? [] : ['The last steps:', ...steps.toReversed()]
}
