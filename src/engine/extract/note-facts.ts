import { callsOf } from '../../model/message/message.ts'
import type { Sequence } from '../../model/values/sequence.ts'
import type { Item } from '../../model/view.ts'
import { answeredCalls } from './answered-calls.ts'
import { noteResultFacts } from './result-facts.ts'
import { noteSaidFacts } from './said-facts.ts'
import { noteSeenNames } from './text/seen-names.ts'

/** Finds the facts of the last item of a view now, while nobody waits for them: a compaction then only merges them. */
export function noteFacts(items: Sequence<Item>): void {
  const item = items.at(items.length - 1)
  if (item?.kind !== 'message') return
  noteSaidFacts(item)
  for (const call of callsOf(item.message)) noteSeenNames(call, call)
  if (item.message.role !== 'tool') return
  const open = new Map()
  for (const earlier of items.slice(stepStart(items))) {
    const answered = answeredCalls(earlier, open)
    if (earlier !== item) continue
    for (const one of answered) {
      noteResultFacts(one)
      noteSeenNames(one.result, one.call)
    }
  }
}

/** Where the step begins that the last item belongs to: the message with the calls that it answers. */
function stepStart(items: Sequence<Item>): number {
  let start = items.length - 1
  while (start > 0 && items.at(start)?.message.role === 'tool') start--
  return start
}
