import { callsOf, jsonText, outputText, resultsOf } from '../../../model/message.ts'
import type { Item } from '../../../model/view.ts'
import { handle } from '../../text/handle.ts'
import { oneLine } from '../../text/one-line.ts'

/** The last tool calls of some items with the beginning of what came back: where the work stood. */
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
