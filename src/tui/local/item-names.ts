import { callsOf, resultsOf, textOf } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'
import { firstLine } from '../safe-text.ts'
import { targetOf } from '../target-of.ts'

const MOST = 48

/** What to call the items of a view: a result after its call, what was said after its first words. */
export function itemNames(items: readonly Item[]): string[] {
  const calls = new Map<string, string>()
  return items.map((item) => {
    const { message, seq } = item
    for (const { toolCallId, toolName, input } of callsOf(message)) {
      calls.set(toolCallId, `${toolName} ${targetOf(input)}`)
    }
    if (item.kind === 'summary') return `#${seq} summary of #${item.from}–#${item.upTo}`
    const [result] = message.role === 'tool' ? resultsOf(message) : []
    if (result !== undefined) return `#${seq} ${firstLine(calls.get(result.toolCallId) ?? result.toolName, MOST)}`
    const [call] = callsOf(message)
    const said = firstLine(textOf(message), MOST)
    if (said === '' && call !== undefined) return `#${seq} call of ${firstLine(calls.get(call.toolCallId) ?? '', MOST)}`
    return `#${seq} ${message.role}: ${said}`
  })
}
