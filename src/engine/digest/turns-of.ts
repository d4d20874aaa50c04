import type { Seq } from '../../model/ids.ts'
import { callsOf, textOf } from '../../model/message.ts'
import type { Item } from '../../model/view.ts'
import { isUserMessage } from '../index-delta.ts'

/** A turn as a digest tells it: what was asked, what the agent said on the way, and its last word. */
export type Turn = {
  readonly seq: Seq
  readonly asked: string
  readonly said: readonly { readonly seq: Seq; readonly text: string }[]
  /** The agent's last text, when no tool call came after it: the turn was finished. */
  readonly closing?: { readonly seq: Seq; readonly text: string }
  readonly calls: number
}

/** The turns in some items. What stands before the first message of the user belongs to a turn that asked nothing. */
export function turnsOf(items: readonly Item[]): Turn[] {
  const turns: { seq: Seq; asked: string; said: { seq: Seq; text: string }[]; calls: number; closed: boolean }[] = []
  for (const item of items) {
    if (item.kind === 'summary') continue
    if (isUserMessage(item)) {
      turns.push({ seq: item.seq, asked: textOf(item.message), said: [], calls: 0, closed: false })
      continue
    }
    let turn = turns.at(-1)
    if (turn === undefined) {
      turn = { seq: item.seq, asked: '', said: [], calls: 0, closed: false }
      turns.push(turn)
    }
    if (item.message.role !== 'assistant') continue
    const text = textOf(item.message).trim()
    const calls = callsOf(item.message).length
    if (text !== '') turn.said.push({ seq: item.seq, text })
    turn.calls += calls
    turn.closed = text !== '' && calls === 0
  }
  return turns.map(({ closed, ...turn }) => ({ ...turn, ...(closed ? { closing: turn.said.at(-1) } : {}) }))
}
