import { type AnsweredCall, answeredCalls, type OpenCalls } from '../../engine/extract/answered-calls.ts'
import { factsIn } from '../../engine/extract/index-delta.ts'
import { type KnownIndex, knownIndex } from '../../engine/extract/known-index.ts'
import { withoutClientNotes } from '../../engine/extract/text/client-notes.ts'
import { codeNamesIn } from '../../engine/extract/text/seen-names.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { callsOf, type Item, type Message, outputText, resultsOf, type Seq, textOf } from '../../model/types.ts'
import type { ShownText } from './shown-text.ts'

/** A message that the model no longer reads, with its text and the names that are nowhere in the shown text. */
export type GoneItem = {
  readonly item: Item
  readonly text: string
  /** The words of a person or the agent in it, without calls and results. */
  readonly words: string
  readonly names: readonly string[]
}

/** The facts in which signs of a loss are searched. */
export type SpanFacts = {
  readonly gone: readonly GoneItem[]
  readonly shown: ShownText
  /** The facts of all messages before the compaction. */
  readonly known: KnownIndex
  /** The calls before the compaction, with their results. */
  readonly answered: readonly AnsweredCall[]
  /** The messages after it. */
  readonly after: readonly Item[]
  /** The entries that begin a turn. */
  readonly turns: ReadonlySet<Seq>
}

/** For a result of megabytes, the beginning is enough. */
const READ_CHARACTERS = 40_000

export function spanFacts(
  before: readonly Item[],
  after: readonly Item[],
  isGone: (item: Item) => boolean,
  shown: ShownText,
): SpanFacts {
  const open: OpenCalls = new Map()
  const index = mergeIndexes([factsIn(before)])
  return {
    gone: before.filter(isGone).map((item) => goneItem(item, shown)),
    shown,
    known: knownIndex(index),
    answered: before.flatMap((item) => answeredCalls(item, open)),
    after,
    turns: new Set(index.users.map(({ seq }) => seq)),
  }
}

function goneItem(item: Item, shown: ShownText): GoneItem {
  const text = allTextOf(item.message)
  const names = codeNamesIn(text).filter((name) => !shown.hasName(name))
  return { item, text, words: textOf(item.message), names }
}

/** Words, arguments and results of a message as one text. */
export function allTextOf(message: Message): string {
  const calls = callsOf(message).flatMap(({ input }) => valuesIn(input))
  const results = resultsOf(message).map(({ output }) => withoutClientNotes(outputText(output)))
  const texts = [textOf(message), ...calls, ...results].filter((text) => text.trim() !== '')
  return texts.map((text) => text.slice(0, READ_CHARACTERS)).join('\n')
}

/** Arguments may be nested deeply or contain a cycle; the useful ones are near the top. */
const DEEPEST = 4

/** The texts among arguments. Their keys are left out, because every call of the tool has them. */
function valuesIn(input: unknown, depth = 0): string[] {
  if (typeof input === 'string') return [input]
  if (typeof input !== 'object' || input === null || depth === DEEPEST) return []
  return Object.values(input).flatMap((inner) => valuesIn(inner, depth + 1))
}
