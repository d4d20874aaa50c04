import type { Message } from '../../src/engine.ts'
import type { ListRemover } from '../../src/eval/probes/name-lists.ts'
import type { Item, Seq } from '../../src/model/types.ts'
import type { MeasuredLog } from '../../src/study/replay/measured-log.ts'
import { messageTokens } from '../../src/tokens/estimate/estimator.ts'

/** Something that an agent uses in a call and that had been named before. */
export type Reference = {
  /** All of them have to be in the view: a file's name and its folder, or an identifier. */
  readonly words: readonly string[]
  /** The tokens since it was named last. */
  readonly distance: number
}

/** The things that each answer of a session refers back to, by its entry. */
export function referencesIn({ messages, estimator }: MeasuredLog): ReadonlyMap<Seq, readonly Reference[]> {
  const lastSaid = new Map<string, number>()
  const found = new Map<Seq, Reference[]>()
  let said = 0
  for (const { seq, message } of messages) {
    const references = usedBy(message).flatMap((words): Reference[] => {
      const places = words.map((word) => lastSaid.get(word))
      if (places.some((place) => place === undefined)) return []
      return [{ words, distance: said - Math.min(...places.map((place) => place ?? 0)) }]
    })
    if (references.length > 0) found.set(seq, references)
    said += messageTokens(message, estimator)
    for (const word of wordsOf(message)) lastSaid.set(word, said)
  }
  return found
}

/** The files and identifiers in the arguments of an answer's calls, each once. */
export function usedBy(message: Message): (readonly string[])[] {
  if (message.role !== 'assistant' || typeof message.content === 'string') return []
  const used = new Map<string, readonly string[]>()
  for (const part of message.content) {
    if (part.type !== 'tool-call') continue
    for (const text of stringsIn(part.input)) {
      for (const name of text.slice(0, MOST_CHARACTERS).match(NAME) ?? []) {
        const words = name.split('/').filter((word) => word !== '')
        if (words.some(isIdentifier)) used.set(name, words.slice(-2).filter(isWord))
      }
    }
  }
  return [...used.values()].filter(({ length }) => length > 0)
}

/** A file that is written whole would refer to all that is in it. */
const MOST_CHARACTERS = 2_000
const NAME = /[\w@./+-]{4,}/g
const WORD = /[\w@.+-]{3,}/g

function isWord(word: string): boolean {
  return word.length >= 3
}

/** Not an ordinary word: it has a capital inside, a digit, an underscore or an ending. */
export function isIdentifier(word: string): boolean {
  return word.length >= 5 && /[a-z][A-Z]|\w_\w|[a-z]\d|\w\.[a-z]|\w-\w+-\w/.test(word)
}

/** All strings in a value. */
export function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(stringsIn)
}

const remembered = new WeakMap<Message, ReadonlySet<string>>()

/** All words of a message, including those of its calls and results. */
export function wordsOf(message: Message): ReadonlySet<string> {
  const known = remembered.get(message)
  if (known !== undefined) return known
  const words = wordsIn(textIn(message))
  remembered.set(message, words)
  return words
}

const wordsOutsideLists = new WeakMap<Message, ReadonlySet<string>>()

/** The words of an item outside bare lists of names: without a record's lists and the names after masked output. */
export function wordsOutsideListsOf({ kind, message }: Item, withoutLists: ListRemover): ReadonlySet<string> {
  const known = wordsOutsideLists.get(message)
  if (known !== undefined) return known
  const text = textIn(message)
  const isReduced = kind === 'summary' || MASKED_NAMES.test(text)
  const words = isReduced ? wordsIn(withoutLists([text.replaceAll(MASKED_NAMES, '')]).join()) : wordsOf(message)
  wordsOutsideLists.set(message, words)
  return words
}

const MASKED_NAMES = /; names in it: [^\]]*?(?=\]|; lines in it: )/g

function textIn(message: Message): string {
  return typeof message.content === 'string' ? message.content : stringsIn(message.content).join('\n')
}

function wordsIn(text: string): Set<string> {
  return new Set((text.match(WORD) ?? []).map((word) => word.replace(/^[.-]+|[.-]+$/g, '')))
}
