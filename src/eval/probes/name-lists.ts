import { type Message, outputText, type Part, partsOf } from '../../model/types.ts'
import { allNamesIn } from '../truth/needed.ts'

/** The whole texts, arguments and results of a session. A context that has one of them has made no list of it. */
export function wholeTexts(messages: readonly Message[]): ReadonlySet<string> {
  return new Set(messages.flatMap((message) => partsOf(message).map(wholeText)))
}

function wholeText(part: Part): string {
  if (part.type === 'tool-call') return JSON.stringify(part.input)
  return part.type === 'tool-result' ? outputText(part.output) : part.type === 'text' ? part.text : ''
}

/** A context without its lists of bare names, in whatever form. A line may have some names of which it says a state. */
export function withoutLists(
  context: readonly Message[],
  whole: ReadonlySet<string>,
  namesAllowed: (line: string) => number = () => 0,
): Message[] {
  return context.map((message) => {
    const texts: string[] = []
    // All texts of a message together are one text: a list may have a part for each name.
    mapTexts(message, whole, (text) => String(texts.push(text)))
    const reduced = withoutNames(texts, namesAllowed)[Symbol.iterator]()
    return mapTexts(message, whole, () => reduced.next().value ?? '')
  })
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

export function withoutNameLists(text: string): string {
  return withoutNames([text], () => 0).join('')
}

/** A stretch of text is a list if its names outnumber its other words by so many. It ends where it has fallen by as many. */
const LIST = 6

/** The same words around each name do not hide a list: a word that was said so many words ago says nothing new. */
const RECENT = 40

function withoutNames(texts: readonly string[], namesAllowed: (line: string) => number): string[] {
  const cuts: (readonly [text: number, from: number, to: number])[] = []
  let stretch: (readonly [text: number, from: number, to: number])[] = []
  let [score, best, end] = [0, 0, 0]
  const said = new Map<string, number>()
  let count = 0
  const close = () => {
    if (best >= LIST) cuts.push(...stretch.slice(0, end))
    ;[stretch, score, best, end] = [[], 0, 0, 0]
  }
  for (const [at, text] of texts.entries()) {
    let start = 0
    for (const line of text.split('\n')) {
      const words = [...line.matchAll(WORD)].map((match) => {
        const [word] = match
        return { word, from: start + match.index, isName: allNamesIn(word).length > 0 }
      })
      start += line.length + 1
      const allowed = namesAllowed(line)
      if (allowed > 0 && words.filter(({ isName }) => isName).length <= allowed) continue
      for (const { word, from, isName } of words) {
        stretch.push([at, from, from + word.length])
        const isNew = count++ - (said.get(word) ?? -RECENT) >= RECENT
        said.set(word, count)
        if (!isNew || !/\p{L}/u.test(word)) continue
        score += isName ? 1 : -1
        if (score > best) [best, end] = [score, stretch.length]
        if (score < 0 || score <= best - LIST) close()
      }
    }
  }
  close()
  return texts.map((text, at) => {
    let [kept, from] = ['', 0]
    for (const [own, begin, to] of cuts)
      if (own === at) {
        kept += text.slice(from, begin)
        from = to
      }
    return kept + text.slice(from)
  })
}

const WORD = /[\p{L}\p{N}_$@#./\\:+~-]+/gu
