import { type Message, outputText, type Part, partsOf } from '../../model/types.ts'
import { allNamesIn, messageShown } from '../truth/needed.ts'

/** The whole texts, arguments and results of a session. A context that has one of them has made no list of it. */
export function wholeTexts(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => partsOf(message).map(wholeText)))
}

function wholeText(part: Part): string {
  if (part.type === 'tool-call') return JSON.stringify(part.input)
  return part.type === 'tool-result' ? outputText(part.output) : part.type === 'text' ? part.text : ''
}

/** Texts without their lists of bare names, in whatever form. A name is not bare on a line that states something of it. */
export type ListRemover = (texts: readonly string[], isStated?: (line: string, name: string) => boolean) => string[]

/** A context without its lists of bare names. All its texts together are one text: a list may have a message for each name. */
export function withoutLists(
  context: readonly Message[],
  whole: ReadonlySet<string>,
  remove: (texts: readonly string[]) => readonly string[],
): Message[] {
  const texts: string[] = []
  for (const message of context) mapTexts(message, whole, (text) => String(texts.push(text)))
  const reduced = remove(texts)[Symbol.iterator]()
  return context.map((message) => mapTexts(message, whole, () => reduced.next().value ?? ''))
}

function mapTexts(message: Message, whole: ReadonlySet<string>, change: (text: string) => string): Message {
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return change(value)
    if (Array.isArray(value)) return value.map(deep)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, deep(one)]))
  }
  const content = partsOf(message).map((part): unknown => {
    if (whole.has(wholeText(part))) return part
    if (part.type === 'text') return { ...part, text: change(part.text) }
    if (part.type === 'tool-call') return { ...part, input: deep(part.input) }
    return part.type === 'tool-result'
      ? { ...part, output: { ...part.output, ...changedValue(part.output, deep) } }
      : part
  })
  return { ...message, content } as Message
}

function changedValue(output: object, change: (value: unknown) => unknown): object {
  return 'value' in output ? { value: change(output.value) } : {}
}

/** A stretch of text is a list if its bare names outnumber the others by so many. It ends where it has fallen by as many. */
const LIST = 6
/** The words before and after a name that are beside it. */
const REACH = 12
/** A word that is beside more than this share of a session's names says nothing of one of them. */
const COMMON = 0.05

/** A name is bare if no word beside it is beside it in the session, too: nothing is said of it, whatever is between the names. */
export function listRemover(session: readonly Message[]): ListRemover {
  const known = new Map<string, Word>()
  const wordOf = (text: string): Word => {
    const word = known.get(text) ?? { name: nameIn(text), plain: text.toLowerCase().replace(/[^\p{L}]/gu, '') || text }
    known.set(text, word)
    return word
  }
  const beside = new Map<string, Set<string>>()
  for (const message of session) {
    const words = Array.from(messageShown(message).matchAll(WORD), ([text]) => wordOf(text))
    for (const [at, { name }] of words.entries()) {
      if (name === undefined) continue
      const own = beside.get(name) ?? new Set()
      beside.set(name, own)
      for (const word of around(words, at)) own.add(word)
    }
  }
  const names = new Map<string, number>()
  for (const own of beside.values()) for (const word of own) names.set(word, (names.get(word) ?? 0) + 1)
  const most = Math.max(3, beside.size * COMMON)
  const hasCompany = (name: string, words: readonly string[]) =>
    words.some((word) => beside.get(name)?.has(word) === true && (names.get(word) ?? 0) <= most)

  return (texts, isStated = () => false) => {
    // Every second piece of a line is a word. A bare name of a list is emptied.
    const lines = texts.map((text) => text.split('\n').map((line) => ({ line, pieces: line.split(SPLIT) })))
    const places = lines
      .flat()
      .flatMap(({ line, pieces }) => pieces.map((_, at) => ({ line, pieces, at })).filter(({ at }) => at % 2 === 1))
    const words = places.map(({ pieces, at }) => wordOf(pieces[at] ?? ''))
    let stretch: typeof places = []
    let [score, best, end] = [0, 0, 0]
    const close = () => {
      if (best >= LIST) for (const { pieces, at } of stretch.slice(0, end)) pieces[at] = ''
      ;[stretch, score, best, end] = [[], 0, 0, 0]
    }
    for (const [i, place] of places.entries()) {
      const name = words[i]?.name
      if (name === undefined) continue
      const isBare = !isStated(place.line, name) && !hasCompany(name, around(words, i))
      if (isBare) stretch.push(place)
      score += isBare ? 1 : -1
      if (score > best) [best, end] = [score, stretch.length]
      if (score < 0 || score <= best - LIST) close()
    }
    close()
    return lines.map((own) => own.map(({ pieces }) => pieces.join('')).join('\n'))
  }
}

/** A word of a text: the name that it is, or its letters. */
type Word = { readonly name: string | undefined; readonly plain: string }

const WORD = /[\p{L}\p{N}_$@#./\\:+~-]+/gu
const SPLIT = new RegExp(`(${WORD.source})`, 'u')

/** The last part of a path, a whole address, or an identifier, if the word is one. */
function nameIn(word: string): string | undefined {
  if (allNamesIn(word).length === 0) return undefined
  return /^https?:/.test(word) ? word : word.slice(word.lastIndexOf('/') + 1).replace(/^[.:~]+|[.:~]+$/g, '')
}

function around(words: readonly Word[], at: number): string[] {
  const near = [...words.slice(Math.max(0, at - REACH), at), ...words.slice(at + 1, at + 1 + REACH)]
  return near.flatMap(({ name, plain }) => (name === undefined && plain.length >= LEAST_LETTERS ? [plain] : []))
}

const LEAST_LETTERS = 3
