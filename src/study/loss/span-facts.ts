import { toolFacts } from '../../engine/extract/calls/tool-facts.ts'
import { factsIn } from '../../engine/extract/index-delta.ts'
import { type AnsweredCall, answeredCalls, type OpenCalls } from '../../engine/extract/item-facts.ts'
import { type KnownIndex, knownIndex } from '../../engine/extract/known-index.ts'
import { withoutClientNotes } from '../../engine/extract/text/client-notes.ts'
import { codeNamesIn } from '../../engine/extract/text/code-names.ts'
import { mergeIndexes } from '../../model/facts/log-index.ts'
import { quotable } from '../../model/text.ts'
import {
  callsOf,
  type Item,
  type Message,
  outputText,
  resultsOf,
  type Seq,
  type ToolCallPart,
  textOf,
} from '../../model/types.ts'

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
function allTextOf(message: Message): string {
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

/** Everything that the model reads after a compaction: the record, the kept messages, and the tail. */
type ShownText = {
  /** How much of a text it contains, word for word. */
  readonly has: (text: string) => 'all' | 'beginning' | 'nothing'
  /** Whether it contains a name. A list in braces names each of its files, so the parts of a name are searched one by one. */
  readonly hasName: (name: string) => boolean
}

/** The length of a text's beginning. A shorter one, such as the first sentence of a message, often occurs in others, too. */
const BEGINNING_CHARACTERS = 60
/** A record never quotes a longer text whole. */
const QUOTED_CHARACTERS = 20_000

export function shownText(texts: readonly string[]): ShownText {
  const all = texts.join('\n')
  const flat = quotable(all)
  const words = new Set(all.split(/\W+/))
  return {
    has: (text) => {
      const wanted = quotable(text.slice(0, QUOTED_CHARACTERS))
      if (text.length <= QUOTED_CHARACTERS && flat.includes(wanted)) return 'all'
      return flat.includes(wanted.slice(0, BEGINNING_CHARACTERS)) ? 'beginning' : 'nothing'
    },
    hasName: (name) => name.split(/\W+/).every((part) => words.has(part)),
  }
}

/** The subject of a call: a file that it reads, or a command that it runs. */
type ToolUse = { readonly how: 'read' | 'ran'; readonly what: string }

export function toolUsesOf(call: ToolCallPart): ToolUse[] {
  return toolFacts(call).flatMap((fact): ToolUse[] => {
    if (fact.kind === 'read' && fact.via === undefined) return [{ how: 'read', what: fact.path }]
    return fact.kind === 'command' ? [{ how: 'ran', what: fact.command.trim() }] : []
  })
}

/** Two calls with the same subject have the same key. */
export function toolUseKey({ how, what }: ToolUse): string {
  return `${how} ${what}`
}

/** The names that the agent or the user wrote, each with the first entry that did. Names in results do not count as used. */
export function namesWritten(items: readonly Item[]): Map<string, Seq> {
  const first = new Map<string, Seq>()
  for (const { kind, seq, message } of items) {
    if (kind === 'summary' || message.role === 'tool' || message.role === 'system') continue
    for (const name of codeNamesIn(allTextOf(message))) if (!first.has(name)) first.set(name, seq)
  }
  return first
}
