import type { Item, Seq, ToolCallPart, ToolResultPart } from '../../model/types.ts'

/** A call, and the item that has its result. */
export type AnsweredCall = {
  readonly call: ToolCallPart
  /** The entry of the call. */
  readonly seq: Seq
  readonly result: ToolResultPart
  readonly item: Item
}

/** The calls that have no result yet, by their id. */
export type OpenCalls = Map<string, Pick<AnsweredCall, 'call' | 'seq'>>

const NONE: readonly AnsweredCall[] = []

/** The calls that an item answers. Items must come in order; the item's own calls are open afterwards. */
export function answeredCalls(item: Item, open: OpenCalls): readonly AnsweredCall[] {
  const { role, content } = item.message
  if (typeof content === 'string' || (role !== 'assistant' && role !== 'tool')) return NONE
  if (role === 'assistant') {
    for (const part of content) if (part.type === 'tool-call') open.set(part.toolCallId, { call: part, seq: item.seq })
  }
  let answered: AnsweredCall[] | undefined
  for (const part of content) {
    if (part.type !== 'tool-result') continue
    const opened = open.get(part.toolCallId)
    if (opened === undefined) continue
    open.delete(part.toolCallId)
    answered ??= []
    answered.push({ call: opened.call, seq: opened.seq, result: part, item })
  }
  return answered ?? NONE
}
