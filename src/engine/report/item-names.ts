import { callsOf, resultsOf, textOf } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'
import { oneLine } from '../text/one-line.ts'

/** What to call the items of a view: a result after its call, a message after its first words. */
export function itemNames(items: readonly Item[], characters = 48): string[] {
  const calls = new Map<string, string>()
  return items.map((item) => {
    const { message } = item
    for (const call of callsOf(message)) calls.set(call.toolCallId, callName(call, characters))
    if (item.kind === 'summary') return `summary of #${Math.max(1, item.from)}–#${item.upTo}`
    const [result] = message.role === 'tool' ? resultsOf(message) : []
    if (result !== undefined) return calls.get(result.toolCallId) ?? result.toolName
    const said = oneLine(textOf(message), characters)
    const [call] = callsOf(message)
    if (said === '' && call !== undefined) return `call of ${callName(call, characters)}`
    return `${message.role}: ${said}`
  })
}

/** A call by its tool and what it is about. */
export function callName(call: { readonly toolName: string; readonly input: unknown }, characters = 48): string {
  const target = targetOf(call.input)
  return oneLine(target === '' ? call.toolName : `${call.toolName} ${target}`, characters)
}

const TARGETS = ['command', 'cmd', 'file_path', 'path', 'filePath', 'pattern', 'query', 'url', 'description', 'prompt']

function targetOf(input: unknown): string {
  if (typeof input === 'string') return input
  if (typeof input !== 'object' || input === null) return ''
  const named = input as Record<string, unknown>
  const target = TARGETS.map((name) => named[name]).find((value) => typeof value === 'string' || Array.isArray(value))
  return Array.isArray(target) ? target.join(' ') : typeof target === 'string' ? target : ''
}
