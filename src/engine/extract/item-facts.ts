import { readChange } from '../../model/facts/change-fact.ts'
import type { IndexDelta } from '../../model/facts/log-index.ts'
import { callsOf } from '../../model/message/message.ts'
import type { Item, MessageItem } from '../../model/view.ts'
import { type AnsweredCall, answeredCalls, type OpenCalls } from './answered-calls.ts'
import { resultFacts } from './result-facts.ts'
import { saidFacts } from './said-facts.ts'
import { namesIn, type PartNames } from './text/seen-names.ts'

/** What one message of a view adds to the index, found by itself: a compaction only merges it. */
export type ItemFacts = {
  readonly item: MessageItem
  readonly said: IndexDelta
  readonly results: readonly { readonly answered: AnsweredCall; readonly facts: IndexDelta }[]
  /** The names in its calls and results, where somebody had the time to look for them. */
  readonly names: readonly PartNames[]
}

/** The facts of items, as far as they are known, each at the place of its item. */
export type KnownFacts = readonly (ItemFacts | undefined)[]

/** Finds the facts of an item. `open`: the calls before it that wait for a result; those that it answers are taken out. */
export function itemFacts(item: Item, open: OpenCalls, { names }: { readonly names: boolean }): ItemFacts | undefined {
  const answered = answeredCalls(item, open)
  if (item.kind !== 'message') return undefined
  const results = answered.map((one) => ({ answered: one, facts: names ? withChangesRead(one) : resultFacts(one) }))
  return {
    item,
    said: saidFacts(item),
    results,
    names: names ? [...callsOf(item.message).map((call) => namesIn(call, call)), ...answered.map(namesInResult)] : [],
  }
}

/** The text of a change is looked for when it is first read: here there is time for it. */
function withChangesRead(answered: AnsweredCall): IndexDelta {
  const { changes, ...facts } = resultFacts(answered)
  return changes === undefined ? facts : { ...facts, changes: changes.map(readChange) }
}

function namesInResult({ result, call }: AnsweredCall): PartNames {
  return namesIn(result, call)
}

/** What was found in the result of a call: only where it answers the very same call. */
export function knownResult(known: ItemFacts | undefined, answered: AnsweredCall): IndexDelta | undefined {
  return known?.results.find((one) => isSame(one.answered, answered))?.facts
}

function isSame(a: AnsweredCall, b: AnsweredCall): boolean {
  return a.call === b.call && a.seq === b.seq && a.result === b.result && a.item.seq === b.item.seq
}
