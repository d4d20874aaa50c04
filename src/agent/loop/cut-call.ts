import { count } from '../../engine/report/numbers.ts'
import { type AssistantMessage, callsOf, type ToolCallPart } from '../../model/message/message.ts'
import type { ToolOutput } from '../tool.ts'

/** A call that the output limit cut, and the size of the answer that it ended, where the provider counted it. */
export type CutCall = { readonly call: ToolCallPart; readonly outputTokens?: number }

/** The call that an answer was cut in: the last part of it, without whole arguments. */
export function cutCall(message: AssistantMessage): ToolCallPart | undefined {
  const last = typeof message.content === 'string' ? undefined : message.content.at(-1)
  if (last?.type !== 'tool-call') return undefined
  const call = callsOf(message).at(-1)
  return call !== undefined && isIncomplete(call.input) ? call : undefined
}

/** Arguments that stop in their middle are no JSON, those that had not begun are empty. */
function isIncomplete(input: unknown): boolean {
  return typeof input !== 'object' || input === null || Object.keys(input).length === 0
}

/** The result of a call that was cut: what happened, and the way out. */
export function wasCut({ call, outputTokens }: CutCall): ToolOutput {
  const text = `Your answer was cut at the output limit${sizeText(outputTokens)} before the arguments of ${call.toolName} were whole. Nothing was run. Write less in one call: write a long file in several parts (write the first, then add the next ones with edit), and make large changes by several small edits.`
  return { text, isError: true }
}

/** An answer that is cut inside a call costs as much as a whole one, and does nothing: so many in a row end the turn. */
export const MOST_CUT_CALLS = 3

/** The end of a turn whose answers are cut in a call again and again. */
export function cutAgain(call: ToolCallPart | undefined, outputTokens: number | undefined): string {
  const where = call === undefined ? 'a call' : `a call of ${call.toolName}`
  return `Stopped: ${MOST_CUT_CALLS} answers in a row were cut at the output limit${sizeText(outputTokens)}, inside ${where}. Ask for smaller steps, or choose a model with longer answers`
}

function sizeText(tokens: number | undefined): string {
  return tokens === undefined ? '' : ` (${count(tokens)} tokens)`
}
