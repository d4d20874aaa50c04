import { callsOf, isLeftOutLine, isUserMessage, resultsOf, type ToolCallPart } from '../../model/types.ts'
import { tokensAt } from '../../tokens/sizes.ts'
import type { Context } from '../context/context.ts'
import { toolFacts } from '../extract/calls/tool-facts.ts'
import { itemNames } from '../report/item-names.ts'
import type { LeaveOutChoice } from '../report/leave-out-text.ts'
import { type LeaveOutOptions, stayingItems } from './leave-out.ts'
import { LEAST_TOKENS } from './leave-out-targets.ts'

/** The largest parts of the view that can be left out: turns, messages, results of one tool and results about one file. */
export function leaveOutChoices(
  context: Context,
  options: Pick<LeaveOutOptions, 'requestedBy'>,
  count: number,
): LeaveOutChoice[] {
  const { view, sizes } = context
  const items = view.items.slice()
  const stays = stayingItems(context, options)
  const names = itemNames(items)
  const choices = new Choices()
  const calls = new Map<string, ToolCallPart>()
  let turn: { readonly select: string; readonly name: string } | undefined
  for (const [index, item] of items.entries()) {
    for (const call of callsOf(item.message)) calls.set(call.toolCallId, call)
    const name = names[index] ?? ''
    if (isUserMessage(item)) turn = { select: `turn:#${item.seq}`, name: `turn of ${name}` }
    if (stays(index) !== undefined || isLeftOutLine(item)) continue
    const tokens = tokensAt(sizes, index)
    choices.add(`#${item.seq}`, name, tokens)
    if (turn !== undefined) choices.add(turn.select, turn.name, tokens)
    if (item.kind === 'message' && item.leftOut !== undefined) continue
    const answered = resultsOf(item.message).flatMap(({ toolCallId }) => calls.get(toolCallId) ?? [])
    const perCall = tokens / Math.max(1, answered.length)
    for (const call of answered) {
      choices.add(`tool:${call.toolName}`, `results of ${call.toolName}`, perCall)
      for (const path of pathsIn(call)) choices.add(`file:${path}`, `results about ${path}`, perCall)
    }
  }
  return choices.largest(count)
}

function pathsIn(call: ToolCallPart): ReadonlySet<string> {
  return new Set(toolFacts(call).flatMap((fact) => ('path' in fact ? [fact.path] : [])))
}

class Choices {
  readonly #all = new Map<string, { readonly name: string; parts: number; tokens: number }>()

  add(select: string, name: string, tokens: number): void {
    const known = this.#all.get(select) ?? { name, parts: 0, tokens: 0 }
    known.parts++
    known.tokens += tokens
    this.#all.set(select, known)
  }

  largest(count: number): LeaveOutChoice[] {
    return [...this.#all]
      .map(([select, { name, parts, tokens }]) => ({ select, name, parts, tokens: Math.round(tokens) }))
      .filter(({ tokens }) => tokens >= LEAST_TOKENS)
      .toSorted((a, b) => b.tokens - a.tokens)
      .slice(0, count)
  }
}
